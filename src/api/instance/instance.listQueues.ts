import { z } from 'zod';
import { listAccountQueues } from '../../store/instance/account-queues.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';

const accountQueue = z
  .object({
    account_id: z.string(),
    email: z.string(),
    active_tasks: z.int().meta({ description: 'Tasks that run or wait for a worker.' }),
    queued_tasks: z.int().meta({ description: 'Those of them that wait for a worker.' }),
    queue_age_seconds: z.number().min(0).meta({ description: 'How long the one that is due longest has waited.' }),
  })
  .meta({ id: 'AccountQueue' });

export const instanceListQueues = defineOperation('GET', 'instance.listQueues', {
  summary: 'Lists the accounts with tasks that run or wait for a worker, first those that have waited longest.',
  access: 'instance',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(accountQueue), ...pageEnd }),
  async handle({ limit, cursor: from }, { read }) {
    const { items, end } = await readListPage(
      { query: ['instance.listQueues'], cursor: from, limit },
      async (position, count) => {
        const [dueAt = '', accountId = ''] = position?.split(' ') ?? [];
        const after = position === null ? null : { dueAtMs: Number(dueAt), accountId };
        return read(listAccountQueues, { after, limit: count });
      },
      ({ dueAtMs, accountId }) => `${dueAtMs} ${accountId}`,
    );
    const data = items.map(({ accountId, email, active, queued, dueAtMs, readAtMs }) => ({
      account_id: accountId,
      email,
      active_tasks: active,
      queued_tasks: queued,
      queue_age_seconds: Math.max(0, readAtMs - dueAtMs) / 1000,
    }));
    return { data, ...end };
  },
});
