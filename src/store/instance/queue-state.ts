import { type StoreOperation, selectOne } from '../db/store-operation.ts';
import { computedCodec, integer, nullable } from '../db/row-codec.ts';

const queueRow = computedCodec('queues', { running: integer, task_age: nullable(integer), delivery_age: nullable(integer) });

export interface QueueState {
  runningTasks: number;
  /** How long the most overdue task has waited for a worker, and the same for deliveries; 0 when nothing is due. */
  taskAgeMs: number;
  deliveryAgeMs: number;
}

/** The queues of the whole instance. Both indexes contain only open entries, so this is cheap. */
export const readQueueState: StoreOperation<null, QueueState> = {
  name: 'queues.read',
  access: 'read',
  *run() {
    const row = yield* selectOne(
      `SELECT
         (SELECT COUNT(*) FROM tasks WHERE wake_at IS NOT NULL) AS running,
         (SELECT errand_now() - MIN(wake_at) FROM tasks WHERE wake_at <= errand_now()) AS task_age,
         (SELECT errand_now() - MIN(ready_at) FROM deliveries WHERE ready_at <= errand_now()) AS delivery_age`,
    );
    return {
      runningTasks: queueRow.running(row),
      taskAgeMs: queueRow.task_age(row) ?? 0,
      deliveryAgeMs: queueRow.delivery_age(row) ?? 0,
    };
  },
};
