import { describe, expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { prepareAgents } from '../../src/store/agents/agents.ts';
import { createTask } from '../../src/store/tasks/tasks.ts';
import { describeStores } from '../support/db/databases.ts';
import { sampleTask } from '../support/db/store-samples.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const main = 'agent-default-main_task';

describeStores('the default agent', (store) => {
  it('exists with the account, and has a main task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { data } = (await api.call('agent.list')).body;
    const agent = { id: expect.stringMatching(uuid) as string, task_id: someId, nickname: 'Errand', about: '', description: '' };
    expect(data).toEqual([agent]);
    const byName = await api.call('agent.detail', { agent_id: 'agent-default' });
    const byId = await api.call('agent.detail', { agent_id: data[0]?.id });
    expect([byName.body.agent, byId.body.agent]).toEqual([data[0], data[0]]);
    const { task } = (await api.call('task.detail', { task_id: main })).body;
    expect(task).toMatchObject({ id: data[0]?.task_id, status: 'stopped', title: 'Errand', task_type: 'standard' });
    expect((await api.call('task.listMessages', { task_id: main })).body).toMatchObject({
      task_id: task.id,
      messages: [],
      has_more: false,
    });
    expect((await api.call('task.list')).body.data).toEqual([]);
  });

  it('has a permanent main task, and its name can be used to message, stop, and rename it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const answered = await api.call('task.sendMessage', { task_id: main, message: { content: 'Hello' } });
    const taskId = answered.body.task_id as string;
    expect([answered.status, taskId]).toEqual([200, (await api.call('agent.list')).body.data[0]?.task_id]);
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.finish('Hi.');
    await api.call('task.sendMessage', { task_id: main, message: { content: 'More' } });
    expect((await api.call('task.detail', { task_id: main })).body.task.status).toBe('running');
    expect((await api.call('task.stop', { task_id: main })).status).toBe(200);
    const receipt = await api.call('task.update', { task_id: main, title: 'My thread', share_visibility: 'public' });
    expect(receipt.body).toMatchObject({ task_id: taskId, task_title: 'My thread', share_visibility: 'public' });
    const { messages } = (await api.call('task.listMessages', { task_id: main, order: 'asc' })).body;
    expect(messages.map(({ type }) => type)).toEqual([
      ...['user_message', 'status_update', 'assistant_message', 'status_update'],
      ...['user_message', 'status_update', 'user_stop', 'status_update'],
    ]);
    const [page] = (await api.call('task.listMessages', { task_id: taskId, start_event_id: messages[2]?.id, order: 'asc' })).body
      .messages;
    expect(page).toEqual(messages[2]);
  });

  it('cannot lose its main task or a subtask', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    const agentId = (await api.call('agent.list')).body.data[0]?.id as string;
    const subtask = sampleTask(accountId, { taskType: 'agent_subtask', agentId, taskId: newId(Date.now()) });
    await store.database.run(createTask, subtask);
    for (const task_id of [main, subtask.taskId]) {
      const { status, body } = await api.call('task.delete', { task_id });
      expect([status, body.error.code]).toEqual([412, 'failed_precondition']);
    }
    for (const agent_id of ['agent-default', agentId, agentId.toUpperCase()]) {
      const { data } = (await api.call('task.list', { scope: 'agent_subtask', agent_id })).body;
      expect(data.map(({ id, task_type }) => [id, task_type])).toEqual([[subtask.taskId, 'agent_subtask']]);
    }
  });

  it('can change its identity, by either name of the field', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const update = async (input: Json) => (await api.call('agent.update', { agent_id: 'agent-default', ...input })).body.agent;
    expect(await update({ nickname: ' Ada\n', about: 'Keeps my calendar.' })).toMatchObject({
      nickname: 'Ada',
      about: 'Keeps my calendar.',
    });
    expect(await update({ description: 'Reads my mail.' })).toMatchObject({ nickname: 'Ada', about: 'Reads my mail.' });
    expect(await update({})).toMatchObject({ nickname: 'Ada', about: 'Reads my mail.' });
    const [row] = await store.query("SELECT body FROM events WHERE type = 'equipped' ORDER BY seq DESC LIMIT 1");
    expect(JSON.parse(String(row?.body))).toEqual({ persona: { nickname: 'Ada', about: 'Reads my mail.' } });
    expect((await api.call('task.detail', { task_id: main })).body.task.status).toBe('stopped');
  });

  it('is created once for accounts of an earlier version', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const before = (await api.call('agent.list')).body.data;
    for (const table of ['agents', 'tasks', 'events']) await store.query(`DELETE FROM ${table}`);
    await addOwner(store.database);
    const prepare = () => store.database.run(prepareAgents, { now: Date.now(), limit: 10 });
    expect([await prepare(), await prepare()]).toEqual([1, 0]);
    expect((await api.call('agent.list')).body.data).toEqual(before);
  });

  describe('refuses', () => {
    const id = '00000000-0000-7000-8000-000000000000';
    it.each([
      ['agent.detail', {}, 400, 'agent_id is required'],
      ['agent.detail', { agent_id: id }, 404, 'agent not found'],
      ['agent.detail', { agent_id: 'nonsense' }, 404, 'agent not found'],
      ['agent.update', { nickname: 'x' }, 400, 'agent_id is required'],
      ['agent.update', { agent_id: id, nickname: 'x' }, 404, 'agent not found'],
      ['agent.update', { agent_id: 'agent-default', nickname: '' }, 400, 'nickname: must not be empty'],
      [
        'agent.update',
        { agent_id: 'agent-default', nickname: 'x'.repeat(101) },
        400,
        'nickname: must have at most 100 characters',
      ],
      ['agent.update', { agent_id: 'agent-default', about: 'x'.repeat(2001) }, 400, 'about: must have at most 2000 characters'],
      [
        'agent.update',
        { agent_id: 'agent-default', about: 'x', description: 'y' },
        400,
        'description: is another name of about; send one of them',
      ],
    ])('%s %j', async (name, input, status, message) => {
      await using api = await ApiUnderTest.start(store.database);
      const answer = await api.call(name, input);
      expect([answer.status, answer.body.error.message]).toEqual([status, message]);
    });
  });
});

describeStores('browser.onlineList', (store) => {
  it('is an empty list', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await api.call('browser.onlineList');
    expect([status, body.data]).toEqual([200, []]);
  });
});
