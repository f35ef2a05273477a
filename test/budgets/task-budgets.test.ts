import { expect, it } from 'vitest';
import type { CallDemand } from '../../src/rules/budgets/reservation.ts';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import type { ClaimedTask } from '../../src/store/tasks/claims/task-claims.ts';
import { appendPaid, beginPaidCall } from '../../src/store/tasks/paid-calls.ts';
import { type AppendArgs, appendEvents } from '../../src/store/tasks/task-leases.ts';
import { exhaust } from '../support/budgets/exhaust.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { claim } from '../support/db/store-samples.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

/** Appends as a worker does: with regard to budgets once the store asks for it. */
async function appendAny(store: OpenStore, args: AppendArgs, demand?: CallDemand): Promise<string> {
  const { outcome } = await store.database.run(appendEvents, args);
  if (outcome !== 'budgeted') return outcome;
  const [start] = args.events;
  if (!demand || !start) return (await store.database.run(appendPaid, args)).outcome;
  return (await store.database.run(beginPaidCall, { ...args, start, demand })).outcome;
}

describeStores('the budget of a task', (store) => {
  const detail = async (api: ApiUnderTest, taskId: string) => (await api.call('task.detail', { task_id: taskId })).body.task;
  const waitingFor = async (api: ApiUnderTest, taskId: string) => {
    const { body } = await api.call('task.listMessages', { task_id: taskId });
    const [newest = {}] = body.messages;
    return (newest.status_update as { status_detail: Json }).status_detail;
  };

  const claimTask = async (taskId: string) => {
    const task = (await claim(store.database)).find((each) => each.taskId === taskId);
    if (!task) throw new Error('the task is not due');
    return task;
  };
  /** One model call that costs so many millionths of a credit, and by default the end of the session. */
  const spend = async (taskId: string, cost: number, { task, isLast = true }: { task?: ClaimedTask; isLast?: boolean } = {}) => {
    const { accountId, fence } = task ?? (await claimTask(taskId));
    const lease = { accountId, taskId, fence, expectSeq: null, now: Date.now() };
    const start: TaskEvent = { type: 'model_started', step: 1, attempt: 1, model: 'm', estimatedInput: 1, estimatedCost: 0 };
    const demand = { input: cost, perOutput: 0, mostOutput: 1 };
    const begun = await appendAny(store, { ...lease, events: [start] }, demand);
    if (begun !== 'logged') throw new Error(`the call was not begun: ${begun}`);
    const usage = { input: 1, output: 1, cached: 0 };
    const finished: TaskEvent = { type: 'model_finished', step: 1, parts: [], usage, cost };
    const events: TaskEvent[] = isLast ? [finished, { type: 'stopped', by: 'agent' }] : [finished];
    await appendAny(store, { ...lease, events });
  };

  it('is set when the task is created, shown with its use, and raised by an update', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { budget: { credits: 3 } });
    expect((await detail(api, taskId)).budget).toMatchObject({ credits: 3, on_limit: 'wait', used: 0, reserved: 0 });
    expect(await exhaust(store, taskId)).toBe(3);
    expect(await detail(api, taskId)).toMatchObject({
      status: 'waiting',
      credit_usage: 3,
      budget: { credits: 3, on_limit: 'wait', used: 3, reserved: 0 },
    });
    expect(await waitingFor(api, taskId)).toMatchObject({ waiting_for_event_type: 'budget' });
    const low = await api.call('task.update', { task_id: taskId, budget: { credits: 3 } });
    expect([low.status, low.body.error.param]).toEqual([400, 'budget.credits']);
    const raised = await api.call('task.update', { task_id: taskId, budget: { credits: 5, on_limit: 'end' } });
    expect(raised.status).toBe(200);
    expect(await detail(api, taskId)).toMatchObject({ status: 'running', budget: { credits: 5, on_limit: 'end', used: 3 } });
    expect(await exhaust(store, taskId)).toBe(2);
  });

  it('is removed by an update with null, after which the task resumes and its calls cost what they cost', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { budget: { credits: 2 } });
    await exhaust(store, taskId);
    expect((await api.call('task.update', { task_id: taskId, title: 'Kept' })).status).toBe(200);
    expect(await detail(api, taskId)).toMatchObject({ status: 'waiting', budget: { credits: 2 } });
    expect((await api.call('task.update', { task_id: taskId, budget: null })).status).toBe(200);
    expect(await detail(api, taskId)).toMatchObject({ status: 'running', title: 'Kept' });
    expect((await detail(api, taskId)).budget).toBeUndefined();
    await spend(taskId, 5_000_000);
    expect(await detail(api, taskId)).toMatchObject({ status: 'stopped', credit_usage: 7 });
    expect(await store.query('SELECT scope FROM budgets')).toEqual([]);
    expect((await api.call('task.update', { task_id: taskId, budget: null })).status).toBe(200);
  });

  it('that is removed in the middle of a session limits none of its further calls', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { budget: { credits: 2 } });
    const task = await claimTask(taskId);
    await spend(taskId, 1_000_000, { task, isLast: false });
    await api.call('task.update', { task_id: taskId, budget: null });
    await spend(taskId, 5_000_000, { task });
    expect(await detail(api, taskId)).toMatchObject({ status: 'stopped', credit_usage: 6 });
    expect(await store.query('SELECT scope FROM budget_holds')).toEqual([]);
  });

  it.each([
    [{ credits: 0 }, 'budget.credits'],
    [{ credits: 1.5 }, 'budget.credits'],
    [{}, 'budget.credits'],
    [{ credits: 1, on_limit: 'explode' }, 'budget.on_limit'],
    ['much', 'budget'],
  ])('%j is refused with the name of the field', async (budget, param) => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await api.call('task.create', { message: { content: 'x' }, budget });
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('is an item of the inbox, which raises it once or ends the task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { budget: { credits: 1 } });
    await exhaust(store, taskId);
    const [item] = (await api.call('inbox.list', { type: 'budget' })).body.data;
    expect(item).toMatchObject({ task_id: taskId, type: 'budget', text: 'More?', input_schema: { required: ['credits'] } });
    const decide = async (input: Json) => {
      const { status, body } = await api.call('inbox.decide', { id: item?.id, ...input });
      return body.ok === true ? status : [status, body.error.param];
    };
    expect(await decide({})).toEqual([400, 'accept']);
    expect(await decide({ accept: true })).toEqual([400, 'input.credits']);
    expect(await decide({ accept: true, input: { credits: 1 } })).toEqual([400, 'input.credits']);
    expect(await decide({ accept: true, input: { credits: 2 } })).toBe(200);
    expect(await decide({ accept: true, input: { credits: 9 } })).toEqual([409, undefined]);
    expect(await detail(api, taskId)).toMatchObject({ status: 'running', budget: { credits: 2 } });
    expect(await exhaust(store, taskId)).toBe(1);
    const [again] = (await api.call('inbox.list')).body.data;
    expect((await api.call('inbox.decide', { id: again?.id, accept: false })).status).toBe(200);
    expect((await detail(api, taskId)).status).toBe('stopped');
  });

  it('is part of what schedules, triggers and recipes ask for, and starts anew with each reply', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const budget = { credits: 7, on_limit: 'end' };
    const common = { name: 'x', budget };
    const { body } = await api.call('schedule.create', { ...common, message: 'Do it.', interval_seconds: 60 });
    const schedule = body.schedule as Json;
    expect(schedule.budget).toEqual({ ...budget, money: { amount: 0.07, currency: 'USD' } });
    const run = await api.call('schedule.runNow', { schedule_id: schedule.id });
    expect((await detail(api, String(run.body.task_id))).budget).toMatchObject({ ...budget, used: 0 });
    const changed = await api.call('schedule.update', { schedule_id: schedule.id, budget: null });
    expect(changed.body.schedule).not.toHaveProperty('budget');
    const recipe = await api.call('recipe.create', { ...common, message_template: 'Do it.', fields: [] });
    expect((recipe.body.recipe as Json).budget).toMatchObject(budget);
    const trigger = await api.call('trigger.create', { ...common, message_template: 'Do it.', verification: { type: 'none' } });
    expect((trigger.body.trigger as Json).budget).toMatchObject(budget);

    const taskId = await api.createTask('x', { budget: { credits: 2 } });
    expect(await exhaust(store, taskId)).toBe(2);
    await api.call('task.stop', { task_id: taskId });
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'More.' } });
    expect((await detail(api, taskId)).budget).toMatchObject({ credits: 2, on_limit: 'wait', used: 0, reserved: 0 });
    expect(await exhaust(store, taskId)).toBe(2);
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'More.' }, budget: { credits: 6 } });
    expect(await exhaust(store, taskId)).toBe(4);
    expect((await api.call('task.delete', { task_id: taskId })).status).toBe(200);
    expect(await store.query('SELECT * FROM budgets WHERE scope_id = ?', taskId)).toEqual([]);
  });
});
