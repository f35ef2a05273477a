import { z } from 'zod';
import { listRequests } from '../../store/requests/kept-requests.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentRequest, requestObject } from './request-object.ts';

/** `404` or `4xx` as the statuses from and to. */
function readStatus(text: string): readonly [number, number] {
  const isClass = text.endsWith('xx');
  const from = Number(isClass ? `${text.charAt(0)}00` : text);
  return [from, isClass ? from + 99 : from];
}

export const requestList = defineOperation('GET', 'request.list', {
  summary: "Lists the latest requests of the account's programs, newest first.",
  details: 'The last 1,000 of at most a week, about a second after they ended. Requests of the web application are not recorded.',
  access: 'account',
  request: z.object({
    status: z
      .string()
      .regex(/^[1-5](?:\d\d|xx)$/, 'must be an HTTP status such as 404, or 2xx, 3xx, 4xx, or 5xx')
      .optional()
      .meta({ description: 'A status such as `404`, or a class such as `4xx`.' }),
    path: z
      .string()
      .max(200, 'must have at most 200 characters')
      .regex(/^[^\0]*$/, 'must not have NUL characters')
      .optional()
      .meta({ description: 'A part of the path.' }),
    limit: queryInteger(1, 100, 20),
    cursor,
  }),
  response: z.object({ data: z.array(requestObject), ...pageEnd }),
  async handle({ status, path = null, limit, cursor: from }, { principal: { accountId }, read }) {
    const range = status === undefined ? null : readStatus(status);
    const { items, end } = await readListPage(
      { query: ['request.list', accountId, range, path], cursor: from, limit },
      (beforeId, count) => read(listRequests, { accountId, status: range, path, beforeId, limit: count }),
      ({ id }) => id,
    );
    return { data: items.map(presentRequest), ...end };
  },
});
