import { z } from 'zod';
import { type AccountRunning, type ReadLimitsArgs, readRunningLimits } from '../../store/limits/running-limits.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { limitObject, presentLimit } from './limit-object.ts';

export const limitList = defineOperation('GET', 'limit.list', {
  summary:
    'Lists how many tasks of the account, its projects, its keys, and people (`external_user_id`) run at once, and how many do now.',
  access: 'all_tasks',
  request: z.object({ limit: queryInteger(1, 100, 100), cursor }),
  response: z.object({
    data: z.array(limitObject),
    ...pageEnd,
    running: z.int().meta({ description: 'How many tasks of the account run now.' }),
    max_running_tasks: z
      .int()
      .nullable()
      .meta({ description: 'What the operator lets the account run at once; null for any number.' }),
  }),
  async handle({ limit, cursor: from }, { principal: { accountId }, usualRunningTasks: usualMost, read }) {
    let now: AccountRunning | undefined;
    const { items, end } = await readListPage(
      { query: ['limit.list', accountId], cursor: from, limit },
      async (position, count) => {
        const after = position === null ? null : (JSON.parse(position) as ReadLimitsArgs['after']);
        now = await read(readRunningLimits, { accountId, usualMost, after, limit: count });
        return now.limits;
      },
      ({ scope, scopeId }) => JSON.stringify({ scope, scopeId }),
    );
    return { data: items.map(presentLimit), ...end, running: now?.running ?? 0, max_running_tasks: now?.most ?? null };
  },
});
