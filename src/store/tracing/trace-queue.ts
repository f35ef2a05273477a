/**
 * Which tasks have turns to export as traces.
 *
 * A claim by a worker that exports traces marks the task as due, in the statement that takes the lease, so no turn is forgotten whatever
 * happens to the worker. An exporter takes due tasks that rest by moving the mark into the future, which gives them to another if it ends, and
 * removes the mark once everything is exported, unless the task has been claimed again meanwhile. Turns may be exported twice, never not at all.
 */
import { taskRow } from '../db/shared-rows.ts';
import { findRow, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';
import { createTaskQueue } from '../db/task-queue.ts';

const traced = taskRow.pick('account_id, id as taskId, task_type, profile, agent_id, traceparent, traced_seq, trace_due_at');

/** A task whose log is to be exported from the event after `tracedSeq` on. */
export type TracedTaskRow = ReturnType<typeof traced.read>;

const due = "trace_due_at <= errand_now() AND trace_due_at IS NOT NULL AND status <> 'running'";

const queue = createTaskQueue({ name: 'traces', column: 'trace_due_at', due, taken: traced });

/** Whether there is anything to export now. */
export const hasDueTraces: StoreOperation<null, boolean> = queue.hasDue;

/** Takes tasks to export until the end of the lease. */
export const claimTraces: StoreOperation<{ leaseMs: number; limit: number }, TracedTaskRow[]> = queue.claim;

/** A task of an account as its trace needs it; null if the account has no such task. */
export const readTracedTask: StoreOperation<{ accountId: string; taskId: string }, TracedTaskRow | null> = {
  name: 'traces.readTask',
  access: 'read',
  *run({ accountId, taskId }) {
    const row = yield* findRow(traced.columns, 'tasks', { account_id: accountId, id: taskId });
    return row ? traced.read(row) : null;
  },
};

/** Gives tasks back that were not exported, for the next try. */
export const releaseTraces: StoreOperation<readonly TracedTaskRow[], null> = {
  name: 'traces.release',
  access: 'exclusive',
  *run(tasks) {
    yield tasks.map(({ accountId, taskId, traceDueAtMs }) =>
      sql(
        'UPDATE tasks SET trace_due_at = errand_now() WHERE account_id = ? AND id = ? AND trace_due_at = ?',
        accountId,
        taskId,
        traceDueAtMs,
      ),
    );
    return null;
  },
};

export interface FinishTraceArgs {
  accountId: string;
  taskId: string;
  /** The due time found by the claim. */
  traceDueAtMs: number | null;
  /** The last event that was exported. */
  tracedSeq: number;
}

/** Notes how far a log was exported. The task stays due if it was claimed meanwhile. */
export const finishTrace: StoreOperation<FinishTraceArgs, null> = {
  name: 'traces.finish',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ accountId, taskId, traceDueAtMs, tracedSeq }) {
    yield* selectAll(
      `UPDATE tasks SET traced_seq = ?, trace_due_at = CASE WHEN trace_due_at = ? THEN NULL ELSE trace_due_at END
       WHERE account_id = ? AND id = ? AND traced_seq <= ? RETURNING id`,
      tracedSeq,
      traceDueAtMs,
      accountId,
      taskId,
      tracedSeq,
    );
    return null;
  },
};
