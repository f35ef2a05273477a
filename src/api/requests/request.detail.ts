import { z } from 'zod';
import { getRequest } from '../../store/requests/kept-requests.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentRequest, requestObject } from './request-object.ts';

export const requestDetail = defineOperation('GET', 'request.detail', {
  summary: "Returns one of the latest requests of the account's programs, with its body.",
  access: 'account',
  request: z.object({ request_id: requiredText('Identifier of the request: `request_id` of its answer.') }),
  response: z.object({
    request: requestObject.extend({
      body: z.string().nullable().meta({
        description:
          'The body, without secrets and the bytes of files. It is null if it was not kept, because it was longer than 8 KB or its task was deleted.',
      }),
    }),
  }),
  async handle({ request_id: requestId }, { principal: { accountId }, read }) {
    const { body, ...request } = await read(getRequest, { accountId, requestId });
    return { request: { ...presentRequest(request), body } };
  },
});
