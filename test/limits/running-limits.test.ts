import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { append, claim, stopped } from '../support/db/store-samples.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

describeStores('a limit of running tasks', (store) => {
  const set = async (api: ApiUnderTest, input: Json) => {
    const { status, body } = await api.call('limit.set', input);
    return status === 200 ? (body.limit as Json | null) : [status, body.error.code, body.error.param];
  };
  const list = async (api: ApiUnderTest) => {
    const { data, running, max_running_tasks: most } = (await api.call('limit.list')).body;
    return { data, running, most };
  };

  it('is set, shown with what runs, kept, and removed', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId: id, keyId } = api.owner;
    expect(await list(api)).toEqual({ data: [], running: 0, most: null });
    expect(await set(api, { scope: 'account', running_tasks: 2 })).toEqual({ scope: 'account', id, running_tasks: 2 });
    await set(api, { scope: 'key', id: keyId, running_tasks: 1 });
    await Promise.all([api.createTask(), api.createTask()]);
    const [task, ...more] = await claim(store.database);
    expect(more).toEqual([]);
    expect(await list(api)).toEqual({
      data: [
        { scope: 'account', id, running_tasks: 2, running: 1 },
        { scope: 'key', id: keyId, running_tasks: 1, running: 1 },
      ],
      running: 1,
      most: null,
    });
    expect(await set(api, { scope: 'key', id: keyId, running_tasks: null })).toBe(null);
    expect(await claim(store.database)).toHaveLength(1);
    if (task) await append(task, [stopped], store.database);
    expect(await list(api)).toMatchObject({ data: [{ scope: 'account', running: 1 }], running: 1 });
  });

  it('shows what the operator allows, and how the account is recorded to have changed', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await store.query('UPDATE accounts SET max_running_tasks = 5 WHERE account_id = ?', api.owner.accountId);
    await set(api, { scope: 'account', running_tasks: 9 });
    expect(await list(api)).toMatchObject({ most: 5, data: [{ running_tasks: 9 }] });
    const record = await store.query("SELECT detail FROM security_events WHERE kind = 'limit_set'");
    expect(record.map(({ detail }) => JSON.parse(String(detail)) as Json)).toEqual([
      { scope: 'account', id: api.owner.accountId, running_tasks: '9' },
    ]);
  });

  it('is refused for what is not there, and kept from others', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const other = await addOwner(store.database);
    expect(await set(api, { scope: 'project', running_tasks: 1 })).toEqual([400, 'invalid_argument', 'id']);
    expect(await set(api, { scope: 'account', running_tasks: 0 })).toEqual([400, 'invalid_argument', 'running_tasks']);
    expect(await set(api, { scope: 'team', running_tasks: 1 })).toEqual([400, 'invalid_argument', 'scope']);
    for (const [scope, id] of [
      ['account', other.accountId],
      ['key', other.keyId],
      ['project', 'x'],
    ]) {
      expect(await set(api, { scope, id, running_tasks: 1 })).toEqual([404, 'not_found', 'id']);
    }
    await set(api, { scope: 'account', running_tasks: 9 });
    expect((await api.call('limit.list', {}, { key: other.key })).body.data).toEqual([]);
  });

  it('of people of a product holds for each of them, and is listed page by page with those of single people', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const scope = 'external_user';
    expect(await set(api, { scope, running_tasks: 1 })).toEqual({ scope, id: null, running_tasks: 1 });
    expect(await set(api, { scope, id: 'ann', running_tasks: 2 })).toEqual({ scope, id: 'ann', running_tasks: 2 });
    for (const person of ['ann', 'ann', 'ann', 'bob', 'bob']) await api.createTask('x', { external_user_id: person });
    expect(await claim(store.database)).toHaveLength(3);
    const each = { scope, id: null, running_tasks: 1, running: null };
    const ann = { scope, id: 'ann', running_tasks: 2, running: 2 };
    expect(await list(api)).toMatchObject({ data: [each, ann], running: 3 });
    const first = (await api.call('limit.list', { limit: '1' })).body;
    expect([first.data, first.has_more]).toEqual([[each], true]);
    const next = (await api.call('limit.list', { limit: '1', cursor: first.next_cursor })).body;
    expect([next.data, next.has_more]).toEqual([[ann], false]);
    expect(await set(api, { scope, id: 'ann', running_tasks: null })).toBe(null);
    expect(await set(api, { scope, id: 'x'.repeat(129), running_tasks: 1 })).toEqual([400, 'invalid_argument', 'id']);
    expect(await set(api, { scope, id: 'a\0', running_tasks: 1 })).toEqual([400, 'invalid_argument', 'id']);
  });

  it('cannot be one of more than a hundred', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (let count = 0; count < 100; count += 1) {
      await store.query(
        "INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES (?, 'project', ?, 1)",
        ...[api.owner.accountId, `p${count}`],
      );
    }
    expect(await set(api, { scope: 'account', running_tasks: 1 })).toEqual([429, 'resource_exhausted', undefined]);
    expect(await set(api, { scope: 'project', id: 'p7', running_tasks: 3 })).toMatchObject({ running_tasks: 3 });
  });
});

describeStores('the priority of a task', (store) => {
  const detail = async (api: ApiUnderTest, taskId: string) =>
    (await api.call('task.detail', { task_id: taskId })).body.task.priority;

  it('is given at its creation, shown unless it is normal, and changed while the task waits', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [usual, urgent] = [await api.createTask(), await api.createTask('x', { priority: 'high' })];
    expect([await detail(api, usual), await detail(api, urgent)]).toEqual([undefined, 'high']);
    await api.call('task.update', { task_id: usual, priority: 'low' });
    expect(await detail(api, usual)).toBe('low');
    await api.call('task.update', { task_id: usual, title: 'x' });
    expect(await detail(api, usual)).toBe('low');
    const order = [];
    for (let count = 0; count < 2; count += 1) order.push((await claim(store.database, { slots: 1 }))[0]?.taskId);
    expect(order).toEqual([urgent, usual]);
    const { status, body } = await api.call('task.create', { message: { content: 'x' }, priority: 'urgent' });
    expect([status, body.error.param]).toEqual([400, 'priority']);
  });

  it('is that of the schedule, trigger, or recipe that starts it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const schedule = (await api.call('schedule.create', { name: 'x', message: 'x', interval_seconds: 60, priority: 'low' })).body
      .schedule as Json;
    expect(schedule.priority).toBe('low');
    const run = await api.call('schedule.runNow', { schedule_id: schedule.id });
    expect(await detail(api, String(run.body.task_id))).toBe('low');
    const made = await api.call('recipe.create', { name: 'x', message_template: 'x', fields: [], priority: 'high' });
    const { task_id: taskId } = (await api.call('recipe.run', { recipe_id: (made.body.recipe as Json).id, values: {} })).body;
    expect(await detail(api, String(taskId))).toBe('high');
    const verification = { type: 'none' };
    const trigger = await api.call('trigger.create', { name: 'x', message_template: 'x', verification, priority: 'high' });
    expect((trigger.body.trigger as Json).priority).toBe('high');
    await api.call('schedule.update', { schedule_id: schedule.id, priority: 'normal' });
    const changed = (await api.call('schedule.detail', { schedule_id: schedule.id })).body.schedule as Json;
    expect(changed.priority).toBeUndefined();
  });
});
