import { computedCodec, flag, text } from '../db/row-codec.ts';
import { accountRow, taskRow } from '../db/shared-rows.ts';
import { type Row, selectAll, selectFirst, type StoreOperation } from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import { findDescendants } from './subtasks.ts';
import { announceTask, lockedColumns } from '../events/task-log.ts';
import { removeTask } from './tasks.ts';

/** One process at a time looks for expired tasks; should it end, the next turn continues. */
const turnName = 'retention_turn_ends_at';

/** Takes the next turn to look for expired tasks; false if it is not due. */
export const takeRetentionTurn: StoreOperation<{ everyMs: number }, boolean> = {
  name: 'tasks.takeRetentionTurn',
  access: 'exclusive',
  *run({ everyMs }) {
    const taken = yield* selectAll(
      `INSERT INTO instance (name, value) VALUES ('${turnName}', CAST(errand_now() + ? AS TEXT))
       ON CONFLICT (name) DO UPDATE SET value = excluded.value
       WHERE CAST(instance.value AS BIGINT) <= errand_now() RETURNING value`,
      everyMs,
    );
    return taken.length > 0;
  },
};

/** The next accounts behind this one, at most `limit`. */
export const listAccountsAfter: StoreOperation<{ afterAccount: string; limit: number }, string[]> = {
  name: 'tasks.listAccountsAfter',
  access: 'read',
  *run({ afterAccount, limit }) {
    const rows = yield* selectAll(
      'SELECT account_id FROM accounts WHERE account_id > ? ORDER BY account_id LIMIT ?',
      afterAccount,
      limit,
    );
    return rows.map(accountRow.account_id);
  },
};

/**
 * SQL condition on a task `t`: it ended before the time of the parameters and nothing will continue it unasked. Agents need their tasks;
 * a schedule or trigger may use one as its conversation; visitors may be reading a website.
 */
const isExpired = `t.status IN ('stopped', 'error') AND t.wake_at IS NULL AND t.lease_owner IS NULL
  AND t.updated_at < errand_now() - ? AND t.last_event_at < errand_now() - ?
  AND t.task_type NOT IN ('agent_main', 'agent_subtask')
  AND NOT EXISTS (SELECT 1 FROM schedules s WHERE s.account_id = t.account_id AND s.task_id = t.id)
  AND NOT EXISTS (SELECT 1 FROM triggers g WHERE g.account_id = t.account_id AND g.task_id = t.id)
  AND NOT EXISTS (SELECT 1 FROM websites w WHERE w.account_id = t.account_id AND w.task_id = t.id AND w.published_version IS NOT NULL)`;

const foundRow = computedCodec('expired tasks', { id: text, is_expired: flag });

export interface ListExpiredArgs {
  accountId: string;
  afterId: string;
  /** Tasks with later ids were created too recently to have ended long ago. */
  beforeId: string;
  retentionMs: number;
  /** How many tasks to look at. */
  limit: number;
}

/** Those of the next tasks of an account that are to be deleted, and where to go on; null after the last one. */
export const listExpiredTasks: StoreOperation<ListExpiredArgs, { taskIds: string[]; nextId: string | null }> = {
  name: 'tasks.listExpired',
  access: 'read',
  *run({ accountId, afterId, beforeId, retentionMs, limit }) {
    const rows = yield* selectAll(
      `SELECT t.id, CASE WHEN t.parent_id IS NULL AND ${isExpired} THEN 1 ELSE 0 END AS is_expired
       FROM tasks t WHERE t.account_id = ? AND t.id > ? AND t.id < ? ORDER BY t.id LIMIT ?`,
      retentionMs,
      retentionMs,
      accountId,
      afterId,
      beforeId,
      limit,
    );
    const found = rows.map(foundRow.read);
    const taskIds = found.filter((task) => task.isExpired).map(({ id }) => id);
    return { taskIds, nextId: rows.length === limit ? (found.at(-1)?.id ?? null) : null };
  },
};

function isOver(subtask: Row): boolean {
  return ['stopped', 'error'].includes(taskRow.status(subtask));
}

/**
 * Deletes a task whose retention has ended, as `deleteTask` does; false if it has been continued or deleted meanwhile. The conditions are
 * checked again under its lock, so it does not matter how many processes try.
 */
export const deleteExpiredTask: StoreOperation<TaskKey & { retentionMs: number }, boolean> = {
  name: 'tasks.deleteExpired',
  access: 'exclusive',
  keys: ({ taskId }) => [taskId],
  *run({ accountId, taskId, retentionMs }) {
    const row = yield* selectFirst(
      `SELECT ${lockedColumns} FROM tasks t WHERE t.account_id = ? AND t.id = ? AND ${isExpired} FOR UPDATE`,
      accountId,
      taskId,
      retentionMs,
      retentionMs,
    );
    if (!row) return false;
    const subtasks = yield* findDescendants(accountId, taskId);
    if (!subtasks.every(isOver)) return false;
    for (const one of [...subtasks, row]) yield removeTask(one);
    return true;
  },
  announce: ({ taskId }, isDeleted) => (isDeleted ? [...announceTask(taskId), { topic: 'deleted' }] : []),
  measure: (_, isDeleted) => [{ counter: 'errand_tasks_expired_total', count: isDeleted ? 1 : 0 }],
};
