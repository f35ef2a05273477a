import { z } from 'zod';
import { isId } from '@errand/base/ids.ts';
import { taskStatuses } from '../../rules/events/task-event.ts';
import { explainHold, holdReasons } from '../../rules/tasks/holds/task-hold.ts';
import { type InstanceTask, listInstanceTasks } from '../../store/tasks/instance-tasks.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { readManaged } from './managed-account-object.ts';

/** Ten years. */
const maxAgeSeconds = 315_360_000;

const taskHold = z
  .object({
    reason: z.enum(holdReasons).meta({
      description:
        '`place`: for a worker with room; `takeover`: for another worker, because its own has ended; `worker`, `model_call`, `tool`: its worker is at it; `model_outage`: for a model that is away; `subtasks`: for tasks it created; `pause`: before it runs again after the deaths of its workers; `answer`, `approval`: for its user; `budget`: for a higher budget.',
    }),
    since: unixTime.nullable(),
    until: unixTime.nullable().meta({ description: 'When the task is tried again, if that is known.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the model or tool that the reason is about; null if it is about none.' }),
  })
  .meta({ id: 'TaskHold' });

const instanceTask = z
  .object({
    id: z.string(),
    account_id: z.string(),
    email: z.string(),
    status: z.enum(taskStatuses),
    created_at: unixTime,
    updated_at: unixTime,
    age_seconds: z.int().meta({ description: 'Seconds since it was created.' }),
    worker_id: z.string().nullable().meta({ description: 'The worker that holds it; null if none does.' }),
    lease_until: unixTime.nullable().meta({ description: 'When another worker may take it, unless its own renews the lease.' }),
    crashes: z.int().meta({ description: 'How many workers ended with it since it last made progress.' }),
    hold: taskHold.nullable().meta({ description: 'What it waits for; null for one that has ended.' }),
  })
  .meta({ id: 'InstanceTask' });

function unixTimeOf(ms: number | null): number | null {
  return ms === null ? null : toUnixTime(ms);
}

function present(task: InstanceTask, now: number): z.input<typeof instanceTask> {
  const hold = explainHold(task, task.readAtMs);
  return {
    id: task.id,
    account_id: task.accountId,
    email: task.email,
    status: task.status,
    created_at: toUnixTime(task.createdAtMs),
    updated_at: toUnixTime(task.updatedAtMs),
    age_seconds: Math.max(0, Math.floor((now - task.createdAtMs) / 1000)),
    worker_id: task.workerId,
    lease_until: task.workerId === null ? null : unixTimeOf(task.wakeAtMs),
    crashes: task.crashes,
    hold: hold && {
      reason: hold.reason,
      since: unixTimeOf(hold.sinceMs),
      until: unixTimeOf(hold.untilMs),
      name: hold.name,
    },
  };
}

export const instanceListTasks = defineOperation('GET', 'instance.listTasks', {
  summary: 'Lists the tasks of all accounts with their state, age, worker, and what they wait for; nothing of what is in them.',
  access: 'instance',
  request: z.object({
    limit: queryInteger(1, 100, 20),
    cursor,
    status: z.enum(taskStatuses).optional(),
    account_id: z.string().optional().meta({ description: 'Only tasks of this account: its id or e-mail address.' }),
    worker_id: z.string().optional().meta({ description: 'Only tasks that this worker holds, from instance.listWorkers.' }),
    min_age_seconds: queryInteger(0, maxAgeSeconds, 0).meta({
      description: 'Only tasks that were created at least this many seconds ago.',
    }),
  }),
  response: z.object({ data: z.array(instanceTask), ...pageEnd }),
  async handle({ limit, cursor: from, status, account_id, worker_id, min_age_seconds: minAge }, context) {
    const { now, read } = context;
    // An invalid id matches nothing.
    const matchesNothing = worker_id !== undefined && !isId(worker_id);
    const of = account_id === undefined ? null : (await readManaged(account_id, context)).accountId;
    const filter = { status: status ?? null, accountId: of, workerId: worker_id ?? null, minAgeMs: minAge * 1000 };
    const { items, end } = await readListPage(
      { query: ['instance.listTasks', status, of, worker_id, minAge], cursor: from, limit },
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
