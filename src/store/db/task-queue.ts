import { taskRow } from './shared-rows.ts';
import { placeholders, type Row, selectAll, selectFirst, type StoreOperation } from './store-operation.ts';

export interface TaskQueueParts<Task> {
  /** The beginning of the names of its operations. */
  name: string;
  /** The column of `tasks` that says when a task is due. */
  column: 'search_due_at' | 'trace_due_at';
  /** The SQL condition that a task is due. */
  due: string;
  /** What is read of a task that is taken. */
  taken: { columns: string; read(row: Row): Task };
}

interface TaskQueue<Task> {
  /** Whether a task is due now. */
  hasDue: StoreOperation<null, boolean>;
  /**
   * Takes tasks, those that are due longest first, by moving their time to the end of a lease, which gives them to another worker if this
   * one ends.
   */
  claim: StoreOperation<{ leaseMs: number; limit: number }, Task[]>;
}

/** A queue of tasks whose due time is a column of their own. */
export function createTaskQueue<Task>({ name, column, due, taken }: TaskQueueParts<Task>): TaskQueue<Task> {
  return {
    hasDue: {
      name: `${name}.hasDue`,
      access: 'read',
      *run() {
        return (yield* selectFirst(`SELECT id FROM tasks WHERE ${due} LIMIT 1`)) !== undefined;
      },
    },
    claim: {
      name: `${name}.claim`,
      access: 'exclusive',
      *run({ leaseMs, limit }) {
        const rows = yield* selectAll(
          `SELECT account_id, id FROM tasks WHERE ${due} ORDER BY ${column} LIMIT ? FOR UPDATE SKIP LOCKED`,
          limit,
        );
        if (rows.length === 0) return [];
        const claimed = yield* selectAll(
          `UPDATE tasks SET ${column} = errand_now() + ? WHERE (account_id, id) IN (VALUES ${placeholders(rows.length, 2)})
           RETURNING ${taken.columns}`,
          leaseMs,
          ...rows.flatMap((row) => [taskRow.account_id(row), taskRow.id(row)]),
        );
        return claimed.map((row) => taken.read(row));
      },
    },
  };
}
