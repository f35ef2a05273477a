import type { TaskStatus } from '../../rules/events/task-event.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { countRow, taskRow } from '../db/shared-rows.ts';
import { compareText, selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import { sessionPrefix } from './ended-workers.ts';
import { leavingOwner } from './task-leases.ts';

const { read, columns } = taskRow.pick('account_id, id, status, created_at, updated_at, lease_owner as workerId, crashes');

/** A task as the operator sees it: nothing that was written in it. */
export type InstanceTask = ReturnType<typeof read>;

/** The id of a worker as others see it: how it announces its end is no part of it. Null for no worker. */
function presentOwner(owner: string | null): string | null {
  if (owner === null || owner === leavingOwner) return null;
  return owner.startsWith(sessionPrefix) ? owner.slice(sessionPrefix.length) : owner;
}

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

/** A worker that holds tasks, and how many. */
export interface InstanceWorker {
  id: string;
  tasks: number;
}

/** The workers with leases, by id. Of the index only what is due or leased is read. */
export const listWorkers: StoreOperation<null, InstanceWorker[]> = {
  name: 'leases.listWorkers',
  access: 'read',
  *run() {
    const rows = yield* selectAll(
      `SELECT lease_owner, COUNT(*) AS count FROM tasks
       WHERE account_id > '' AND wake_at > errand_now() AND lease_owner IS NOT NULL GROUP BY lease_owner`,
    );
    const workers = rows.flatMap((row) => {
      const id = presentOwner(taskRow.lease_owner(row));
      return id === null ? [] : [{ id, tasks: countRow.count(row) }];
    });
    return workers.toSorted((a, b) => compareText(a.id, b.id));
  },
};
