import { instanceRecord } from '../../rules/accounts/security-event.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { computedCodec, json } from '../db/row-codec.ts';
import { selectAll, type StoreOperation } from '../db/store-operation.ts';

type Waiting = Extract<TaskEvent, { type: 'model_waiting' }>;
const waitingRow = computedCodec('a task that waits for a model', { body: json<Omit<Waiting, 'type'>>() });

/** A model that tasks wait for because it is away or overloaded. */
export interface ModelOutage {
  model: string;
  /** How many tasks wait for it. */
  tasks: number;
  /** Since when the first of them waits, in milliseconds since the epoch. */
  sinceMs: number;
}

/** How many tasks are looked at: enough to tell an outage. */
const mostTasks = 1000;

/** The models that tasks wait for now, the longest outage first. Of tasks, only those that run are read. */
export const listModelOutages: StoreOperation<null, ModelOutage[]> = {
  name: 'queues.listModelOutages',
  access: 'read',
  scans: () => instanceRecord,
  *run() {
    const rows = yield* selectAll(
      `SELECT e.body FROM tasks t JOIN events e ON e.account_id = t.account_id AND e.task_id = t.id AND e.seq = t.last_seq
       WHERE t.account_id > '' AND t.wake_at IS NOT NULL AND e.type = 'model_waiting' LIMIT ?`,
      mostTasks,
    );
    const waits = rows.map((row) => waitingRow.body(row));
    return [...Map.groupBy(waits, ({ model }) => model)]
      .map(([model, each]) => ({ model, tasks: each.length, sinceMs: Math.min(...each.map(({ sinceMs }) => sinceMs)) }))
      .toSorted((one, other) => one.sinceMs - other.sinceMs);
  },
};
