import type { TaskEvent } from '../../../src/rules/events/task-event.ts';
import { appendPaid, beginPaidCall } from '../../../src/store/tasks/paid-calls.ts';
import type { OpenStore } from '../db/databases.ts';
import { claim } from '../db/store-samples.ts';

const usage = { input: 1, output: 1, cached: 0 };
const demand = { input: 0, perOutput: 1000, mostOutput: 1000 };

/** Spends a credit in each call until the budget refuses one; then the task waits. */
export async function exhaust(store: OpenStore, taskId: string, now = Date.now()): Promise<number> {
  const task = (await claim(store.database)).find((each) => each.taskId === taskId);
  if (!task) throw new Error('the task is not due');
  const lease = { accountId: task.accountId, taskId, fence: task.fence, expectSeq: null };
  for (let step = 1; ; step += 1) {
    const start: TaskEvent = { type: 'model_started', step, attempt: 1, model: 'm', estimatedInput: 1, estimatedCost: 0 };
    const begun = await store.database.run(beginPaidCall, { ...lease, now, start, demand });
    const append = (event: TaskEvent) => store.database.run(appendPaid, { ...lease, now, events: [event] });
    if (begun.outcome !== 'refused') await append({ type: 'model_finished', step, parts: [], usage, cost: 1_000_000 });
    else {
      const { scope, scopeId, period, resetsAtMs: retryAtMs } = begun.limit;
      await append({ type: 'waiting', callId: null, question: 'More?', budget: { scope, scopeId, period, retryAtMs } });
      return step - 1;
    }
  }
}
