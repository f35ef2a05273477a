import { z } from 'zod';
import { isId } from '@errand/base/ids.ts';
import { taskStatuses } from '../../rules/events/task-event.ts';
import { type InstanceTask, listInstanceTasks } from '../../store/tasks/instance-tasks.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { readManaged } from './managed-account-object.ts';

const instanceTask = z
  .object({
    id: z.string(),
    account_id: z.string(),
    status: z.enum(taskStatuses),
    created_at: unixTime,
    updated_at: unixTime,
    age_seconds: z.int().meta({ description: 'Seconds since it was created.' }),
    worker_id: z.string().nullable().meta({ description: 'The worker that holds it; null if none does.' }),
    crashes: z.int().meta({ description: 'How many workers ended with it since it last made progress.' }),
  })
  .meta({ id: 'InstanceTask' });

function present(task: InstanceTask, now: number): z.input<typeof instanceTask> {
  return {
    id: task.id,
    account_id: task.accountId,
    status: task.status,
    created_at: toUnixTime(task.createdAtMs),
    updated_at: toUnixTime(task.updatedAtMs),
    age_seconds: Math.max(0, Math.floor((now - task.createdAtMs) / 1000)),
    worker_id: task.workerId,
    crashes: task.crashes,
  };
}

export const instanceListTasks = defineOperation('GET', 'instance.listTasks', {
  summary: 'Lists the tasks of all accounts with their state, age, and worker; nothing of what is in them.',
  access: 'instance',
  request: z.object({
    limit: queryInteger(1, 100, 20),
    cursor,
    status: z.enum(taskStatuses).optional(),
    account_id: z.string().optional().meta({ description: 'Only tasks of this account: its id or e-mail address.' }),
    worker_id: z.string().optional().meta({ description: 'Only tasks that this worker holds, from instance.listWorkers.' }),
  }),
  response: z.object({ data: z.array(instanceTask), ...pageEnd }),
  async handle({ limit, cursor: from, status, account_id, worker_id }, context) {
    const { now, read } = context;
    // An invalid id matches nothing.
    const matchesNothing = worker_id !== undefined && !isId(worker_id);
    const of = account_id === undefined ? null : (await readManaged(account_id, context)).accountId;
    const filter = { status: status ?? null, accountId: of, workerId: worker_id ?? null };
    const { items, end } = await readListPage(
      { query: ['instance.listTasks', status, of, worker_id], cursor: from, limit },
      async (position, count) => {
        const [accountId = '', taskId = ''] = position?.split(' ') ?? [];
        const after = position === null ? null : { accountId, taskId };
        return matchesNothing ? [] : read(listInstanceTasks, { ...filter, after, limit: count });
      },
      ({ accountId, id }) => `${accountId} ${id}`,
    );
    return { data: items.map((task) => present(task, now)), ...end };
  },
});
