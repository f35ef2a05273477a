import { z } from 'zod';
import { listUsage } from '../../store/credits/usage-ledger.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { presentUsage, usageRecord } from './usage-record.ts';

export const usageList = defineOperation('GET', 'usage.list', {
  summary: 'Lists every credit transaction of the account, newest first.',
  details:
    'A session (from a message until the task stops, asks, or fails) is one record. All records of an account add up to its `total_credits`.',
  access: 'account',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(usageRecord), ...pageEnd }),
  async handle({ limit, cursor: from }, { principal: { accountId }, credits, now, read }) {
    // Includes everything due by now, so that the sum matches usage.availableCredits.
    if (from === undefined) await credits.balanceOf(accountId, now);
    const { items, end } = await readListPage(
      { query: ['usage.list', accountId], cursor: from, limit },
      (beforeId, count) => read(listUsage, { accountId, beforeId, limit: count }),
      ({ id }) => id,
    );
    return { data: items.map(presentUsage), ...end };
  },
});
