import type { TaskStatus } from '../../rules/events/task-event.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { type HoldEvent, type HoldFacts, holdEventTypes } from '../../rules/tasks/holds/task-hold.ts';
import { computedCodec, json, nullable, oneOf } from '../db/row-codec.ts';
import { accountRow, clockRow, taskRow } from '../db/shared-rows.ts';
import { placeholders, type Row, selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import { sessionPrefix } from './workers/ended-workers.ts';
import { presentOwner } from './workers/workers.ts';

const { read: readTask, columnsOf } = taskRow.pick(
  'account_id, id, status, created_at, updated_at, last_event_at, wake_at, lease_owner as workerId, crashes',
);
const lastRow = computedCodec('the last event of a task', {
  last_type: nullable(oneOf<HoldEvent['type']>()),
  last_body: nullable(json<Record<string, unknown>>()),
});

/** A task as the operator sees it, without anything that was written in it. */
export interface InstanceTask extends HoldFacts {
  accountId: string;
  /** The address of its account. */
  email: string;
  id: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** When it was read, by the clock of the database. */
  readAtMs: number;
}

function read(row: Row): InstanceTask {
  const task = readTask(row);
  const workerId = presentOwner(task.workerId);
  const [type, body] = [lastRow.last_type(row), lastRow.last_body(row)];
  const last = type === null || body === null ? null : ({ type, ...body } as HoldEvent);
  return { ...task, workerId, email: accountRow.email(row), isLeased: workerId !== null, last, readAtMs: clockRow.now(row) };
}

export interface ListInstanceTasksArgs {
  status: TaskStatus | null;
  accountId: string | null;
  workerId: string | null;
  /** Only tasks that were created so long ago, in milliseconds; 0 for all. */
  minAgeMs: number;
  /** Exclusive; null starts at the first. */
  after: { accountId: string; taskId: string } | null;
  limit: number;
}

/** A page of the tasks of all accounts, by account and age. */
export const listInstanceTasks: StoreOperation<ListInstanceTasksArgs, InstanceTask[]> = {
  name: 'tasks.listOfInstance',
  access: 'read',
  scans: () => instanceRecord,
  *run({ status, accountId, workerId, minAgeMs, after, limit }) {
    // Conversations of agents in which nothing happens are left out, as in every list of tasks.
    const conditions = ["t.account_id > ''", "(t.task_type <> 'agent_main' OR t.status <> 'stopped')"];
    const params: SqlValue[] = [];
    const add = (condition: string, ...values: SqlValue[]) => {
      conditions.push(condition);
      params.push(...values);
    };
    if (accountId !== null) add('t.account_id = ?', accountId);
    if (after !== null) add('(t.account_id, t.id) > (?, ?)', after.accountId, after.taskId);
    // Each of these is the condition of an index, which holds only such tasks.
    if (status !== null) add(status === 'stopped' ? 't.status = ?' : "t.status = ? AND t.status <> 'stopped'", status);
    if (workerId !== null) add('t.wake_at IS NOT NULL AND t.lease_owner IN (?, ?)', workerId, sessionPrefix + workerId);
    if (minAgeMs > 0) add('t.created_at <= errand_now() - ?', minAgeMs);
    const rows = yield* selectAll(
      `SELECT ${columnsOf('t')}, a.email, errand_now() AS now, e.type AS last_type, e.body AS last_body
       FROM tasks t JOIN accounts a ON a.account_id = t.account_id LEFT JOIN events e ON e.account_id = t.account_id AND e.task_id = t.id AND e.seq = t.last_seq
         AND t.status IN ('running', 'waiting') AND e.type IN ${placeholders(1, holdEventTypes.length)}
       WHERE ${conditions.join(' AND ')} ORDER BY t.account_id, t.id LIMIT ?`,
      ...holdEventTypes,
      ...params,
      limit,
    );
    return rows.map(read);
  },
};
