import { computedCodec, flag, integer, nullable, text } from '../db/row-codec.ts';
import { accountRow, taskRow } from '../db/shared-rows.ts';
import { type Row, selectAll, selectFirst, type StoreOperation } from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import { findDescendants } from './subtasks.ts';
import { announceTask, lockedColumns } from '../events/task-log.ts';
import { removeTask } from './tasks.ts';

/** The name of the turn. One process at a time looks for expired tasks; if it ends, the next turn continues. */
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

const dayMs = 86_400_000;

/** An account whose tasks are not all kept forever. */
export interface RetainingAccount {
  accountId: string;
  /** The shortest retention of any of its tasks, in milliseconds. */
  shortestMs: number;
}

const retainingRow = computedCodec('accounts with a retention', { own_days: nullable(integer), project_days: nullable(integer) });

/**
 * The next accounts whose tasks are not all kept forever. `retentionMs` is the default of accounts without a setting; null keeps tasks
 * forever.
 */
export const listAccountsAfter: StoreOperation<
  { afterAccount: string; retentionMs: number | null; limit: number },
  RetainingAccount[]
> = {
  name: 'tasks.listAccountsAfter',
  access: 'read',
  *run({ afterAccount, retentionMs, limit }) {
    const ofProjects = 'FROM projects p WHERE p.account_id = a.account_id AND p.retention_days > 0';
    const rows = yield* selectAll(
      `SELECT a.account_id, a.retention_days AS own_days, (SELECT MIN(p.retention_days) ${ofProjects}) AS project_days
       FROM accounts a WHERE a.account_id > ?
       ${retentionMs === null ? `AND (a.retention_days IS NOT NULL OR EXISTS (SELECT 1 ${ofProjects}))` : ''}
       ORDER BY a.account_id LIMIT ?`,
      afterAccount,
      limit,
    );
    return rows.map((row) => {
      const { ownDays, projectDays } = retainingRow.read(row);
      const own = ownDays === null ? (retentionMs ?? Number.POSITIVE_INFINITY) : ownDays * dayMs;
      const ofProject = projectDays === null ? Number.POSITIVE_INFINITY : projectDays * dayMs;
      return { accountId: accountRow.account_id(row), shortestMs: Math.min(own, ofProject) };
    });
  },
};

/** Conditions on a task `t` that ended longer ago than its account or project keeps tasks; unknown if neither has a limit. */
const ofAccount = `COALESCE((SELECT a.retention_days * ${dayMs} FROM accounts a WHERE a.account_id = t.account_id), CAST(? AS BIGINT))`;
const ofProject = `(SELECT p.retention_days * ${dayMs} FROM projects p
  WHERE p.account_id = t.account_id AND p.id = t.project_id AND p.retention_days > 0)`;
const endedBefore = (limit: string) => `(t.updated_at < errand_now() - ${limit} AND t.last_event_at < errand_now() - ${limit})`;

/**
 * SQL condition on a task `t`: it ended before the time of the parameters and nothing will continue it unasked. Agents need their tasks;
 * a schedule or trigger may use one as its conversation; visitors may be reading a website.
 */
const isExpired = `t.status IN ('stopped', 'error') AND t.wake_at IS NULL AND t.lease_owner IS NULL
  AND (${endedBefore(ofAccount)} OR ${endedBefore(ofProject)})
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
  /** Retention of accounts without a setting of their own; null keeps tasks forever. */
  retentionMs: number | null;
  /** How many tasks to look at. */
  limit: number;
}

/** Lists expired tasks among the next tasks of an account, and where to continue; null after the last task. */
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
export const deleteExpiredTask: StoreOperation<TaskKey & { retentionMs: number | null }, boolean> = {
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
