import type { TaskStatus } from '../../rules/events/task-event.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { taskRow } from '../db/shared-rows.ts';
import { selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import { sessionPrefix } from './workers/ended-workers.ts';
import { presentOwner } from './workers/workers.ts';

const { read, columns } = taskRow.pick('account_id, id, status, created_at, updated_at, lease_owner as workerId, crashes');

/** A task as the operator sees it: nothing that was written in it. */
export type InstanceTask = ReturnType<typeof read>;

export interface ListInstanceTasksArgs {
  status: TaskStatus | null;
  accountId: string | null;
  workerId: string | null;
  /** Exclusive; null starts at the first. */
  after: { accountId: string; taskId: string } | null;
  limit: number;
}

/** A page of the tasks of all accounts, by account and age. */
export const listInstanceTasks: StoreOperation<ListInstanceTasksArgs, InstanceTask[]> = {
  name: 'tasks.listOfInstance',
  access: 'read',
  scans: () => instanceRecord,
  *run({ status, accountId, workerId, after, limit }) {
    // Conversations of agents in which nothing happens are left out, as in every list of tasks.
    const conditions = ["account_id > ''", "(task_type <> 'agent_main' OR status <> 'stopped')"];
    const params: SqlValue[] = [];
    const add = (condition: string, ...values: SqlValue[]) => {
      conditions.push(condition);
      params.push(...values);
    };
    if (accountId !== null) add('account_id = ?', accountId);
    if (after !== null) add('(account_id, id) > (?, ?)', after.accountId, after.taskId);
    // Each of these is the condition of an index, which holds only such tasks.
    if (status !== null) add(status === 'stopped' ? 'status = ?' : "status = ? AND status <> 'stopped'", status);
    if (workerId !== null) add('wake_at IS NOT NULL AND lease_owner IN (?, ?)', workerId, sessionPrefix + workerId);
    const where = conditions.join(' AND ');
    const rows = yield* selectAll(
      `SELECT ${columns} FROM tasks WHERE ${where} ORDER BY account_id, id LIMIT ?`,
      ...params,
      limit,
    );
    return rows.map(read).map((task) => ({ ...task, workerId: presentOwner(task.workerId) }));
  },
};
