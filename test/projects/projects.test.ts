import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber } from '../support/http/matchers.ts';

describeStores('projects', (store) => {
  it('are created and listed, newest first, and only to their owner', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const first = await api.call('project.create', { name: '  Launch\n plan ', instruction: 'Be brief.', extra: 1 });
    expect([first.status, first.body.project]).toEqual([
      200,
      {
        id: someId,
        name: 'Launch plan',
        instruction: 'Be brief.',
        connectors: [],
        skills: [],
        actions: 'allow',
        memory: true,
        setup_script: '',
        retention_days: 0,
        setup: { status: 'none', output: '', started_at: null, ended_at: null },
        created_at: someNumber,
      },
    ]);
    const second = (await api.call('project.create', { name: 'Second', instruction: null })).body.project as Json;
    expect(second.instruction).toBe('');
    const { body } = await api.call('project.list');
    expect(body.data).toEqual([second, first.body.project]);
    expect(body).not.toHaveProperty('has_more');
    expect((await api.call('project.list', {}, { key: stranger.key })).body.data).toEqual([]);
  });

  it('give their instruction to tasks created in them, permanently', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id } = (await api.call('project.create', { name: 'P', instruction: 'Answer in rhymes.' })).body.project as Json;
    const taskId = await api.createTask('Hello', { project_id: id });
    const other = await api.createTask('Hello');
    await api.call('project.update', { project_id: id, instruction: 'Answer in prose.', name: 'Q' });
    const bodies = await store.query(
      "SELECT task_id, body FROM events WHERE type = 'equipped' AND task_id IN (?, ?)",
      taskId,
      other,
    );
    expect(bodies.map(({ task_id, body }) => [task_id, JSON.parse(String(body)) as unknown])).toEqual([
      [taskId, { projectId: id, instruction: 'Answer in rhymes.' }],
    ]);
    expect((await api.call('project.list')).body.data).toEqual([
      {
        id,
        name: 'Q',
        instruction: 'Answer in prose.',
        connectors: [],
        skills: [],
        actions: 'allow',
        memory: true,
        setup_script: '',
        retention_days: 0,
        setup: { status: 'none', output: '', started_at: null, ended_at: null },
        created_at: someNumber,
      },
    ]);
    const { messages } = (await api.call('task.listMessages', { task_id: taskId, order: 'asc', verbose: true })).body;
    expect(messages.map(({ type }) => type)).toEqual(['user_message', 'status_update']);
  });

  it('give their skills to tasks whose message names none', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [a, b] = (await api.call('skill.list')).body.data.map(({ id }) => id);
    const { id } = (await api.call('project.create', { name: 'P', skills: [a], actions: 'refuse' })).body.project as Json;
    await api.createTask('x', { project_id: id });
    await api.createTask('x', { project_id: id, message: { content: 'x', enable_skills: [b] } });
    const rows = await store.query("SELECT body FROM events WHERE type = 'equipped' AND seq = 1 ORDER BY task_id");
    const taskConfig = rows.map(({ body }) => JSON.parse(String(body)) as unknown);
    expect(taskConfig).toEqual([
      { projectId: id, actions: 'refuse', skills: [a] },
      { projectId: id, actions: 'refuse', skills: [b] },
    ]);
    expect((await api.call('project.create', { name: 'P', skills: ['x'] })).body.error.message).toBe('skills: skill not found');
  });

  it('have their tasks listed, each of the type project', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id } = (await api.call('project.create', { name: 'P' })).body.project as Json;
    const inside = [await api.createTask('a', { project_id: id }), await api.createTask('b', { project_id: id })];
    const outside = await api.createTask('c');
    const list = async (input: Json) => (await api.call('task.list', { order: 'asc', ...input })).body;
    const listed = await list({ scope: 'project', project_id: id });
    expect(listed.data.map((task) => [task.id, task.task_type])).toEqual(inside.map((taskId) => [taskId, 'project']));
    const [first] = (await list({ scope: 'project', project_id: id, limit: 1 })).data;
    expect(first?.id).toBe(inside[0]);
    expect((await list({ scope: 'standard' })).data.map((task) => task.id)).toEqual([outside]);
    expect((await list({ scope: 'all' })).data).toHaveLength(3);
  });

  describe('refuse', () => {
    it.each([
      ['project.create', {}, 400, 'name is required'],
      ['project.create', { name: '' }, 400, 'name is required'],
      ['project.create', { name: ' \n ' }, 400, 'name is required'],
      ['project.create', { name: 'x'.repeat(101) }, 400, 'name: must have at most 100 characters'],
      ['project.create', { name: 7 }, 400, 'name: must be a string'],
      ['project.create', { name: 'x', instruction: 'x'.repeat(20_001) }, 400, 'instruction: must have at most 20000 characters'],
      ['project.update', { project_id: 'A'.repeat(22), name: 'x' }, 404, 'project not found'],
      ['project.update', { project_id: 'nonsense', name: 'x' }, 404, 'project not found'],
      ['task.create', { message: { content: 'x' }, project_id: 'A'.repeat(22) }, 404, 'project not found'],
      ['task.create', { message: { content: 'x' }, project_id: '\0' }, 404, 'project not found'],
    ])('%s %j', async (name, input, status, message) => {
      await using api = await ApiUnderTest.start(store.database);
      const answer = await api.call(name, input);
      expect([answer.status, answer.body.error.message]).toEqual([status, message]);
    });

    it("a task in another account's project", async () => {
      await using api = await ApiUnderTest.start(store.database);
      const stranger = await addOwner(store.database);
      const { id } = (await api.call('project.create', { name: 'P' })).body.project as Json;
      const foreign = { key: stranger.key };
      const answer = await api.call('task.create', { message: { content: 'x' }, project_id: id }, foreign);
      expect([answer.status, answer.body.error]).toEqual([404, { code: 'not_found', message: 'project not found' }]);
      expect((await api.call('project.update', { project_id: id, name: 'mine' }, foreign)).status).toBe(404);
      expect((await api.call('task.list', { scope: 'project', project_id: id }, foreign)).body.data).toEqual([]);
    });
  });
});
