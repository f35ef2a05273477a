import { expect, it } from 'vitest';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import { appendPaid, beginPaidCall } from '../../src/store/tasks/paid-calls.ts';
import { resumeDue } from '../../src/store/tasks/reply-budgets.ts';
import { createTask } from '../../src/store/tasks/tasks.ts';
import { exhaust } from '../support/budgets/exhaust.ts';
import { describeStores } from '../support/db/databases.ts';
import { claim, sampleTask } from '../support/db/store-samples.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { addApp } from '../support/oauth/oauth-samples.ts';

const dayMs = 86_400_000;

describeStores('a budget of more than a task', (store) => {
  const set = async (api: ApiUnderTest, input: Json) => {
    const { status, body } = await api.call('budget.set', { scope: 'account', period: 'day', ...input });
    return status === 200 ? (body.budget as Json | null) : [status, body.error.code, body.error.param];
  };
  const list = async (api: ApiUnderTest) => (await api.call('budget.list')).body.data;
  const statusOf = async (api: ApiUnderTest, taskId: string) =>
    (await api.call('task.detail', { task_id: taskId })).body.task.status;

  it('limits all tasks of an account until it is raised', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId: id } = api.owner;
    const resetsAt = (Math.floor(Date.now() / dayMs) + 1) * (dayMs / 1000);
    const worth = (used: number) => ({ amount: 0.05, used, reserved: 0, currency: 'USD' });
    const shown = { scope: 'account', id, period: 'day', credits: 5, used: 0, reserved: 0, money: worth(0), resets_at: resetsAt };

    expect(await set(api, { credits: 5 })).toEqual(shown);
    const first = await api.createTask();
    expect(await exhaust(store, first)).toBe(5);
    expect(await list(api)).toEqual([{ ...shown, used: 5, money: worth(0.05) }]);
    const { body } = await api.call('usage.list');
    expect(body.data.filter(({ type }) => type === 'cost').map(({ credits }) => credits)).toEqual([-5]);
    const second = await api.createTask();
    expect(await exhaust(store, second)).toBe(0);
    expect([await statusOf(api, first), await statusOf(api, second)]).toEqual(['waiting', 'waiting']);
    await set(api, { credits: 7 });
    const { taskIds } = await store.database.run(resumeDue, { now: Date.now() });
    expect(taskIds.toSorted()).toEqual([first, second].toSorted());
    expect(await exhaust(store, first)).toBe(2);
    await set(api, { credits: null });
    expect(await list(api)).toEqual([]);
    await store.database.run(resumeDue, { now: Date.now() });
    expect(await statusOf(api, first)).toBe('running');
  });

  it('that is of another project leaves the least price of a session as it is, and one that it stops at once free', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { body } = await api.call('project.create', { name: 'Elsewhere' });
    const projectId = (body.project as Json).id;
    await set(api, { scope: 'project', id: projectId, credits: 1 });
    const elsewhere = await api.createTask();
    const task = (await claim(store.database)).find(({ taskId }) => taskId === elsewhere);
    const lease = {
      accountId: api.owner.accountId,
      taskId: elsewhere,
      fence: task?.fence ?? 0,
      now: Date.now(),
      expectSeq: null,
    };
    const start: TaskEvent = { type: 'model_started', step: 1, attempt: 1, model: 'm', estimatedInput: 1, estimatedCost: 0 };
    const demand = { input: 0, perOutput: 0, mostOutput: 1 };
    expect(await store.database.run(beginPaidCall, { ...lease, start, demand })).toMatchObject({ outcome: 'logged' });
    const usage = { input: 1, output: 1, cached: 0 };
    const events: TaskEvent[] = [
      { type: 'model_finished', step: 1, parts: [], usage, cost: 0 },
      { type: 'stopped', by: 'agent' },
    ];
    expect(await store.database.run(appendPaid, { ...lease, events })).toMatchObject({ outcome: 'logged' });
    const inside = await api.createTask('x', { project_id: projectId });
    await exhaust(store, inside);
    const waiting = await api.createTask('x', { project_id: projectId });
    expect(await exhaust(store, waiting)).toBe(0);
    const costs = (await api.call('usage.list')).body.data.flatMap(({ type, task_id: id, credits }) =>
      type === 'cost' ? [[String(id), credits] as const] : [],
    );
    expect(costs).toHaveLength(2);
    expect(Object.fromEntries(costs)).toEqual({ [elsewhere]: -1, [inside]: -1 });
  });

  it('begins anew with the next day, and lets the tasks that wait for it continue', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await set(api, { credits: 2 });
    await set(api, { period: 'month', credits: 100 });
    const taskId = await api.createTask();
    expect(await exhaust(store, taskId)).toBe(2);
    const tomorrow = Date.now() + dayMs;
    expect((await store.database.run(resumeDue, { now: Date.now() })).taskIds).toEqual([]);
    expect((await store.database.run(resumeDue, { now: tomorrow })).taskIds).toEqual([taskId]);
    expect(await exhaust(store, taskId, tomorrow)).toBe(2);
    const used = (await list(api)).map(({ period, used: credits }) => [period, credits]);
    expect(used).toContainEqual(['month', 4]);
  });

  it('limits the tasks of a key, a project, or a schedule, with their subtasks', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const project = (await api.call('project.create', { name: 'x' })).body.project as Json;
    const schedule = (await api.call('schedule.create', { name: 'x', message: 'x', interval_seconds: 60 })).body.schedule as Json;
    await set(api, { scope: 'project', id: project.id, credits: 2 });
    await set(api, { scope: 'schedule', id: schedule.id, credits: 1 });
    await set(api, { scope: 'key', id: api.owner.keyId, credits: 6 });
    const inProject = await api.createTask('x', { project_id: project.id });
    expect(await exhaust(store, inProject)).toBe(2);
    const run = await api.call('schedule.runNow', { schedule_id: schedule.id });
    expect(await exhaust(store, String(run.body.task_id))).toBe(1);
    expect(await exhaust(store, await api.createTask())).toBe(3);
    expect((await list(api)).map(({ scope, used }) => [scope, used])).toEqual([
      ['key', 6],
      ['project', 2],
      ['schedule', 1],
    ]);
    await api.call('schedule.delete', { schedule_id: schedule.id });
    expect(await set(api, { scope: 'schedule', id: schedule.id, credits: null })).toBe(null);
  });

  it('limits the tasks of an application, and no others', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    const { clientId: oauthClientId } = await addApp(store.database, { accountId });
    await set(api, { scope: 'application', id: oauthClientId, credits: 2 });
    await set(api, { credits: 5 });
    const ofApplication = sampleTask(accountId, { oauthClientId });
    await store.database.run(createTask, ofApplication);
    expect(await exhaust(store, ofApplication.taskId)).toBe(2);
    expect(await exhaust(store, await api.createTask())).toBe(3);
    expect((await list(api)).map(({ scope, used }) => [scope, used])).toEqual([
      ['account', 5],
      ['application', 2],
    ]);
    await set(api, { credits: 9 });
    await set(api, { scope: 'application', id: oauthClientId, credits: 3 });
    await store.database.run(resumeDue, { now: Date.now() });
    expect(await exhaust(store, ofApplication.taskId)).toBe(1);
  });

  it('owes nothing to an earlier one that was removed in the middle of a call', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await set(api, { credits: 5 });
    const taskId = await api.createTask();
    const [task] = await claim(store.database);
    if (task?.taskId !== taskId) throw new Error('the task is not due');
    const lease = { accountId: task.accountId, taskId, fence: task.fence, expectSeq: null, now: Date.now() };
    const start = { type: 'model_started', step: 1, attempt: 1, model: 'm', estimatedInput: 1, estimatedCost: 0 } as const;
    const demand = { input: 3_000_000, perOutput: 0, mostOutput: 1 };
    expect(await store.database.run(beginPaidCall, { ...lease, start, demand })).toMatchObject({ outcome: 'logged' });
    expect(await list(api)).toMatchObject([{ used: 0, reserved: 3 }]);
    await set(api, { credits: null });
    await set(api, { credits: 5 });
    const usage = { input: 1, output: 1, cached: 0 };
    const finished: TaskEvent = { type: 'model_finished', step: 1, parts: [], usage, cost: 2_000_000 };
    await store.database.run(appendPaid, { ...lease, events: [finished] });
    expect(await list(api)).toMatchObject([{ used: 0, reserved: 0 }]);
    await store.database.run(beginPaidCall, { ...lease, start, demand: { ...demand, input: 1_000_000 } });
    expect(await list(api)).toMatchObject([{ used: 0, reserved: 3 }]);
  });

  it('is raised in the inbox by whoever owns the task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await set(api, { credits: 1 });
    const taskId = await api.createTask();
    await exhaust(store, taskId);
    const [item] = (await api.call('inbox.list', { type: 'budget' })).body.data;
    expect((await api.call('inbox.decide', { id: item?.id, accept: true, input: { credits: 4 } })).status).toBe(200);
    await store.database.run(resumeDue, { now: Date.now() });
    expect(await list(api)).toMatchObject([{ credits: 4, used: 1 }]);
    const record = await store.query("SELECT detail FROM security_events WHERE kind = 'budget_set' ORDER BY at, id");
    expect(record.map(({ detail }) => (JSON.parse(String(detail)) as { credits: string }).credits)).toEqual(['1', '4']);
    expect(await exhaust(store, taskId)).toBe(3);
  });

  it('is set, shown, and raised in money, by what a credit is worth', async () => {
    await using api = await ApiUnderTest.start(store.database);
    expect(await set(api, { money: { amount: 0.025, currency: 'USD' } })).toMatchObject({
      credits: 2,
      money: { amount: 0.02, used: 0, reserved: 0, currency: 'USD' },
    });
    expect(await set(api, { money: { amount: 0.05 }, credits: 3 })).toMatchObject({ credits: 3 });
    expect(await set(api, { money: { amount: 0.02 } })).toMatchObject({ credits: 2 });
    const taskId = await api.createTask();
    expect(await exhaust(store, taskId)).toBe(2);
    expect(await list(api)).toMatchObject([{ money: { amount: 0.02, used: 0.02 } }]);
    const [item] = (await api.call('inbox.list', { type: 'budget' })).body.data;
    const raise = async (money: Json) =>
      (await api.call('inbox.decide', { id: item?.id, accept: true, input: { money } })).status;
    expect(await raise({ amount: 0.04, currency: 'EUR' })).toBe(400);
    expect(await raise({ amount: 0.04, currency: 'USD' })).toBe(200);
    await store.database.run(resumeDue, { now: Date.now() });
    expect(await exhaust(store, taskId)).toBe(2);
    const refused: [Json, string][] = [
      [{ money: { amount: 0.009 } }, 'money.amount'],
      [{ money: { amount: -1 } }, 'money.amount'],
      [{ money: { amount: '1' } }, 'money.amount'],
      [{ money: { amount: 1, currency: 'EUR' } }, 'money.currency'],
      [{ money: {} }, 'money.amount'],
      [{}, 'credits'],
    ];
    for (const [input, param] of refused) expect(await set(api, input)).toEqual([400, 'invalid_argument', param]);
    expect(await list(api)).toMatchObject([{ credits: 4 }]);
  });

  it('is refused for what is not there, and kept from others', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const other = await addOwner(store.database);
    expect(await set(api, { scope: 'project', credits: 1 })).toEqual([400, 'invalid_argument', 'id']);
    expect(await set(api, { credits: 0 })).toEqual([400, 'invalid_argument', 'credits']);
    expect(await set(api, { period: 'week', credits: 1 })).toEqual([400, 'invalid_argument', 'period']);
    expect(await set(api, { scope: 'team', credits: 1 })).toEqual([400, 'invalid_argument', 'scope']);
    for (const [scope, id] of [
      ['account', other.accountId],
      ['account', '\0'],
      ['key', other.keyId],
      ['key', 'a\0b'],
      ['project', 'x'],
      ['application', 'x'],
    ]) {
      expect(await set(api, { scope, id, credits: 1 })).toEqual([404, 'not_found', 'id']);
    }
    await set(api, { credits: 9 });
    expect((await api.call('budget.list', {}, { key: other.key })).body.data).toEqual([]);
    const record = await store.query("SELECT detail FROM security_events WHERE kind = 'budget_set'");
    expect(record).toHaveLength(1);
  });
});
