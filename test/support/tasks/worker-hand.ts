import { appendPaid } from '../../../src/store/tasks/paid-calls.ts';
import { appendEvents } from '../../../src/store/tasks/task-leases.ts';
import { claimTasks, type ClaimedTask } from '../../../src/store/tasks/claims/task-claims.ts';
import type { Database } from '../../../src/store/db/database.ts';
import type { TaskEvent } from '../../../src/rules/events/task-event.ts';

const workerId = 'test-worker';

/** Acts as a worker on a task, one append at a time. */
export class WorkerHand {
  readonly #database: Database;
  readonly #task: ClaimedTask;

  private constructor(database: Database, task: ClaimedTask) {
    this.#database = database;
    this.#task = task;
  }

  /** Claims the task, with all due tasks before it; it must be due. */
  static async take(database: Database, taskId: string): Promise<WorkerHand> {
    const args = { workerId, ttlMs: 600_000, slots: 500, held: [], afterAccount: '', canTakeQuarantined: true, isIdle: true };
    for (;;) {
      const { tasks } = await database.run(claimTasks, args);
      const task = tasks.find((claimed) => claimed.taskId === taskId);
      if (task) return new WorkerHand(database, task);
      if (tasks.length === 0) throw new Error(`task ${taskId} is not due`);
    }
  }

  async log(...events: TaskEvent[]): Promise<void> {
    const { accountId, taskId, fence } = this.#task;
    const append = { accountId, taskId, fence, now: Date.now(), events, expectSeq: null };
    let result = await this.#database.run(appendEvents, append);
    if (result.outcome === 'budgeted') result = await this.#database.run(appendPaid, append);
    if (result.outcome !== 'logged') throw new Error(`not logged: ${result.outcome}`);
  }

  /** One step with a tool, and its events: one visible to all, three for verbose readers, two internal. */
  async step(step: number, callId = `call-${step}`): Promise<void> {
    const usage = { input: 1, output: 1, cached: 0 };
    await this.log(
      { type: 'model_started', step, attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'model_finished', step, parts: [{ type: 'text', text: `step ${step}` }], usage },
      { type: 'explained', text: `explanation ${step}` },
      { type: 'tool_finished', callId, tool: 'run', status: 'success', output: 'out', brief: 'Ran', action: 'run', param: 'x' },
      { type: 'plan_updated', steps: [{ title: 'one', status: 'doing', startedAt: 1, endedAt: null }] },
      { type: 'assistant_message', text: `message ${step}` },
    );
  }

  async ask(question: string): Promise<void> {
    await this.log({ type: 'assistant_message', text: question }, { type: 'waiting', callId: 'ask', question });
  }

  async finish(text: string): Promise<void> {
    await this.log({ type: 'assistant_message', text }, { type: 'stopped', by: 'agent' });
  }
}
