import { z } from 'zod';
import { listUserUsage } from '../../store/credits/external-user-usage.ts';
import { cursor, pageEnd, queryInteger, queryTime } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const userUsage = z
  .object({
    external_user_id: z.string(),
    tasks: z.int().meta({ description: 'Tasks created for this person in the time asked for, and not deleted since.' }),
    credit_usage: z.int().meta({ description: 'What the tasks have cost, with their subtasks.' }),
    last_created_at: unixTime.meta({ description: 'When the newest of the tasks was created.' }),
  })
  .meta({ id: 'UserUsage' });

export const usageExternalUsers = defineOperation('GET', 'usage.externalUsers', {
  summary: 'Lists the people for whom tasks were created (`external_user_id`), with the number and cost of their tasks.',
  access: 'account',
  request: z.object({
    created_after: queryTime('Unix time in seconds, exclusive.'),
    created_before: queryTime('Unix time in seconds, exclusive.'),
    limit: queryInteger(1, 100, 20),
    cursor,
  }),
  response: z.object({ data: z.array(userUsage), ...pageEnd }),
  async handle({ created_after: from, created_before: to, limit, cursor: after }, { principal: { accountId }, read }) {
    // Responses contain whole seconds.
    const createdAfterMs = from === undefined ? null : from * 1000 + 999;
    const time = { createdAfterMs, createdBeforeMs: to === undefined ? null : to * 1000 };
    const { items, end } = await readListPage(
      { query: ['usage.externalUsers', accountId, String(from), String(to)], cursor: after, limit },
      (last, count) =>
        read(listUserUsage, { accountId, ...time, after: last === null ? null : decodeURIComponent(last), limit: count }),
      // Positions are ASCII.
      ({ externalUserId }) => encodeURIComponent(externalUserId),
    );
    const data = items.map(({ externalUserId, tasks, credits, lastCreatedAtMs }) => ({
      external_user_id: externalUserId,
      tasks,
      credit_usage: credits,
      last_created_at: toUnixTime(lastCreatedAtMs),
    }));
    return { data, ...end };
  },
});
