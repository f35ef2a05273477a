import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { call, reply, type Script } from '../../../test/support/tasks/agent-under-test.ts';
import { WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { subtaskIdOf } from '../../agent/subtask-step.ts';
import type { ModelReply } from '../../models/model.ts';
import type { ReplyBudget } from '../../rules/budgets/budget.ts';
import type { ModelPart, TaskEvent } from '../../rules/events/task-event.ts';
import { createAccount } from '../../store/accounts/accounts.ts';
import { listBudgets, setBudget } from '../../store/accounts/account-budgets.ts';
import { readLog } from '../../store/events/events.ts';
import { updateTask } from '../../store/tasks/task-update.ts';
import { createTask, getTask, messageTask } from '../../store/tasks/tasks.ts';
import { createSubtaskTool } from '../../tools/tasks/create-subtask.ts';

const accountId = 'a1';
/** A thousand tokens of a reply cost one credit; the longest reply costs eight. */
const price = { input: 0, output: 1000 };

/** A reply that costs so many credits. */
function costing(credits: number, ...parts: ModelPart[]): ModelReply {
  return { ...reply(...parts), usage: { input: 10, output: credits * 1000, cached: 0 } };
}

const text = (words: string): ModelPart => ({ type: 'text', text: words });
/** A call of a tool that does not exist: its failure leads to the next step. */
const anotherStep = (id: number) => call('nothing', `c${id}`, { id });

class BudgetsUnderTest {
  readonly workers: WorkersUnderTest;
  readonly #worker;

  constructor(script: Script) {
    this.workers = new WorkersUnderTest(script, [createSubtaskTool]);
    Object.assign(this.workers.model, { price, followsScript: true });
    this.#worker = this.workers.makeWorker(8);
  }

  async start(budget: ReplyBudget | null): Promise<string> {
    const task = sampleTask(accountId, { budget });
    await this.workers.database.run(createTask, task);
    await this.#worker.start();
    await this.settle();
    return task.taskId;
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 20; round += 1) await this.workers.clock.advance(300);
  }

  async raise(taskId: string, credits: number): Promise<void> {
    const share = { title: null, isHidden: null, share: null };
    const budget = { credits, onLimit: null };
    await this.workers.database.run(updateTask, { accountId, taskId, now: 1, ...share, budget });
    await this.settle();
  }

  read(taskId: string) {
    return this.workers.database.run(getTask, { accountId, taskId });
  }

  async events<Type extends TaskEvent['type']>(taskId: string, type: Type) {
    const log = await this.workers.database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 1000 });
    return log.flatMap(({ event }) => (event.type === type ? [event as Extract<TaskEvent, { type: Type }>] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.stop();
  }
}

/** Steps of two credits each without end. */
const endless: Script = ({ transcript }) => costing(2, text('More.'), anotherStep(transcript.length));

describe('a task with a budget', () => {
  it('never costs more, is warned of 80 %, waits with its state kept, and goes on when the budget is raised', async () => {
    let [left, calls] = [6, 0];
    const script: Script = () => {
      calls += 1;
      left -= 1;
      return left === 0 ? costing(2, text('Done.')) : costing(2, text('More.'), anotherStep(left));
    };
    await using budgets = new BudgetsUnderTest(script);
    const taskId = await budgets.start({ credits: 10, onLimit: 'wait' });
    expect(await budgets.read(taskId)).toMatchObject({
      status: 'waiting',
      credits: 10,
      budget: { credits: 10, used: 10, reserved: 0 },
    });
    expect(calls).toBe(5);
    expect(await budgets.events(taskId, 'budget_warning')).toMatchObject([{ scope: 'task', credits: 10, used: 8 }]);
    expect(await budgets.events(taskId, 'waiting')).toMatchObject([{ callId: null, budget: { retryAtMs: null } }]);
    await expect(budgets.raise(taskId, 10)).rejects.toMatchObject({ code: 'invalid_argument', param: 'budget.credits' });
    await budgets.raise(taskId, 12);
    expect(await budgets.read(taskId)).toMatchObject({
      status: 'stopped',
      credits: 12,
      budget: { credits: 12, used: 12, reserved: 0 },
    });
    expect(calls).toBe(6);
  });

  it('ends with the error budget_exceeded if it was asked for so', async () => {
    await using budgets = new BudgetsUnderTest(endless);
    const taskId = await budgets.start({ credits: 5, onLimit: 'end' });
    expect(await budgets.read(taskId)).toMatchObject({ status: 'error', budget: { used: 5, reserved: 0 } });
    expect(await budgets.events(taskId, 'error')).toMatchObject([{ errorType: 'budget_exceeded' }]);
  });

  it('gets a shorter reply for what is left, and is never charged more than was reserved', async () => {
    const limits: (number | undefined)[] = [];
    const script: Script = ({ outputLimit, transcript }) => {
      limits.push(outputLimit);
      return costing(3, text('More.'), anotherStep(transcript.length));
    };
    await using budgets = new BudgetsUnderTest(script);
    const taskId = await budgets.start({ credits: 10, onLimit: null });
    expect(limits).toEqual([8000, 7000, 4000, 1000]);
    expect(await budgets.read(taskId)).toMatchObject({ status: 'waiting', credits: 10, budget: { used: 10, reserved: 0 } });
  });

  it('is limited by the budget of its account as well, also if that is set while it works', async () => {
    const day = { accountId, scope: 'account', scopeId: accountId, period: 'day', actor: 'test', now: 1 } as const;
    let calls = 0;
    const script: Script = async ({ transcript }) => {
      calls += 1;
      if (calls === 2) await budgets.workers.database.run(setBudget, { ...day, credits: 9 });
      return costing(2, text('More.'), anotherStep(transcript.length));
    };
    await using budgets = new BudgetsUnderTest(script);
    const account = { accountId, email: 'ann@example.com', plan: 'pro', locale: 'en', createdAtMs: 1 } as const;
    await budgets.workers.database.run(createAccount, account);
    const taskId = await budgets.start(null);
    // The call during which the budget was set is not limited by it; the session, which holds all it has cost, is.
    expect(await budgets.read(taskId)).toMatchObject({ status: 'waiting', credits: 9, budget: null });
    const [budget] = await budgets.workers.database.run(listBudgets, { accountId, after: null, limit: 10, now: 1 });
    expect(budget).toMatchObject({ used: 9, reserved: 0 });
    expect(await budgets.events(taskId, 'budget_warning')).toMatchObject([{ scope: 'account', period: 'day' }]);
  });

  it('counts each reply anew, and keeps the limit for the next', async () => {
    await using budgets = new BudgetsUnderTest(() => costing(3, text('Done.')));
    const taskId = await budgets.start({ credits: 4, onLimit: 'wait' });
    expect(await budgets.read(taskId)).toMatchObject({ status: 'stopped', credits: 3, budget: { used: 3 } });
    const message = { type: 'user_message', text: 'Again.', kind: 'text' } as const;
    await budgets.workers.database.run(messageTask, { accountId, taskId, now: 2, message, profile: null });
    await budgets.settle();
    expect(await budgets.read(taskId)).toMatchObject({ status: 'stopped', credits: 6, budget: { used: 3 } });
  });

  it('shares it with its subtasks, which wait with it and go on with it', async () => {
    const script: Script = ({ transcript }) => {
      const [first] = transcript;
      const isSubtask = first?.role === 'user' && first.text.startsWith('Part ');
      if (isSubtask)
        return transcript.length > 4 ? costing(2, text('Part done.')) : costing(2, text('x'), anotherStep(transcript.length));
      if (transcript.length > 1) return costing(1, text('All done.'));
      const parts = [1, 2, 3].map((id) => call('create_subtask', `s${id}`, { title: `p${id}`, instructions: `Part ${id}.` }));
      return costing(1, ...parts);
    };
    await using budgets = new BudgetsUnderTest(script);
    const taskId = await budgets.start({ credits: 12, onLimit: 'wait' });
    const task = await budgets.read(taskId);
    expect(task).toMatchObject({ status: 'waiting', budget: { credits: 12, reserved: 0 } });
    const subtasks = [1, 2, 3].map((id) => subtaskIdOf(taskId, `s${id}`));
    const spent = async () => {
      const all = await Promise.all([taskId, ...subtasks].map((id) => budgets.read(id)));
      return all.reduce((sum, { credits }) => sum + credits, 0);
    };
    expect(await spent()).toBe(task.budget?.used);
    expect(await spent()).toBeLessThanOrEqual(12);
    await budgets.raise(taskId, 40);
    await budgets.settle();
    expect(await budgets.read(taskId)).toMatchObject({ status: 'stopped', budget: { reserved: 0 } });
    expect((await budgets.read(taskId)).budget?.used).toBe(await spent());
    expect(await budgets.events(taskId, 'tool_finished')).toMatchObject([
      { status: 'success' },
      { status: 'success' },
      { status: 'success' },
    ]);
  });
});
