import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { invalidArgument, someId, someNumber, someRequestId } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

function typesOf(messages: Json[]): unknown[] {
  return messages.map(({ type, status_update: update }) => (type === 'status_update' ? (update as Json).agent_status : type));
}

describeStores('the API of tasks', (store) => {
  describe('task.create', () => {
    it('returns the task in the envelope', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const { status, headers, body } = await api.call('task.create', { message: { content: '# Plan the *launch*\nsoon' } });
      expect(status).toBe(200);
      expect(body).toEqual({
        ok: true,
        request_id: someRequestId,
        task_id: someId,
        task_title: 'Plan the launch',
        task_url: `http://localhost:${api.port}/app/${body.task_id as string}`,
        share_visibility: 'private',
      });
      expect(headers.get('x-request-id')).toBe(body.request_id);
    });

    it('shows the message and the running status immediately', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask([{ type: 'text', text: 'one' }, { text: 'two' }]);
      const { body } = await api.call('task.listMessages', { task_id: taskId, order: 'asc' });
      expect(body.task_id).toBe(taskId);
      expect(typesOf(body.messages)).toEqual(['user_message', 'running']);
      expect(body.messages[0]).toEqual({
        id: someId,
        type: 'user_message',
        timestamp: someNumber,
        user_message: { content: 'one\ntwo', message_type: 'text', attachments: [] },
      });
      expect(Math.abs((body.messages[0]?.timestamp as number) - Date.now())).toBeLessThan(60_000);
    });

    it('returns a share URL only while the task is shared, a new one each time', async () => {
      await using api = await ApiUnderTest.start(store.database, { settings: { publicUrl: 'https://errand.example' } });
      const created = await api.call('task.create', { message: { content: 'x' }, share_visibility: 'public', title: 'Mine' });
      const { task_id, share_url } = created.body;
      expect(share_url).toMatch(/^https:\/\/errand\.example\/share\/[0-9A-Za-z]{22}$/);
      expect(share_url).not.toContain(task_id);
      const update = async (share_visibility: string) => (await api.call('task.update', { task_id, share_visibility })).body;
      expect(await update('team')).toMatchObject({ share_url, share_visibility: 'team', task_title: 'Mine' });
      expect(await update('private')).not.toHaveProperty('share_url');
      const again = (await update('public')).share_url;
      expect(again).toMatch(/\/share\/[0-9A-Za-z]{22}$/);
      expect(again).not.toBe(share_url);
    });

    it('keeps title, locale, profile and flags of the request', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask('x', {
        title: '  Line one\nline two\u0000 ',
        locale: 'zh-cn',
        agent_profile: 'manus-1.6-max',
        interactive_mode: true,
        hide_in_task_list: true,
      });
      const [row] = await store.query('SELECT title, locale, profile, interactive, hidden FROM tasks WHERE id = ?', taskId);
      expect(row).toEqual({ title: 'Line one line two', locale: 'zh-CN', profile: 'service-1.6-max', interactive: 1, hidden: 1 });
    });

    it('gives free accounts the lightweight profile whatever they ask for', async () => {
      const owner = await addOwner(store.database, 'free');
      await using api = await ApiUnderTest.start(store.database, { owner });
      const taskId = await api.createTask('x', { agent_profile: 'service-1.6-max' });
      expect((await api.call('task.detail', { task_id: taskId })).body.task.agent_profile).toBe('service-1.6-lite');
      await api.call('task.sendMessage', { task_id: taskId, message: { content: 'y' }, agent_profile: 'manus-1.6' });
      expect((await api.call('task.detail', { task_id: taskId })).body.task.agent_profile).toBe('service-1.6-lite');
    });

    it('arms a structured output schema, and rejects an invalid one with the documented text', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const schema = {
        type: 'object',
        properties: { price: { type: 'number' } },
        required: ['price'],
        additionalProperties: false,
      };
      const taskId = await api.createTask('x', { structured_output_schema: schema });
      const [row] = await store.query("SELECT body FROM events WHERE task_id = ? AND type = 'user_message'", taskId);
      expect(JSON.parse(String(row?.body))).toMatchObject({ outputSchema: schema });
      const bad = { ...schema, properties: { price: { type: 'number', minimum: 1 } } };
      const { status, body } = await api.call('task.create', { message: { content: 'x' }, structured_output_schema: bad });
      expect([status, body.error]).toEqual([
        400,
        invalidArgument('structured_output_schema: .price: unsupported keyword "minimum"'),
      ]);
    });
  });

  describe('task.detail', () => {
    it('shows the task with its times in seconds', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask('hello');
      const { body } = await api.call('task.detail', { task_id: taskId });
      expect(body.task).toEqual({
        id: taskId,
        status: 'running',
        title: 'hello',
        task_type: 'standard',
        task_url: `http://localhost:${api.port}/app/${taskId}`,
        share_visibility: 'private',
        agent_profile: 'service-1.6',
        created_by_api_key: { id: api.owner.keyId, name: 'test key' },
        created_by_oauth_client: null,
        created_at: someNumber,
        updated_at: someNumber,
      });
      expect(Math.abs((body.task.created_at as number) - Date.now() / 1000)).toBeLessThan(60);
    });

    it('responds to a foreign, a missing, and a malformed id with the same text', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const stranger = await addOwner(store.database);
      const foreign = await api.createTask();
      const ids = [foreign, 'A'.repeat(22), 'nonsense', '\u0000', 'agent-default-main-task'];
      for (const name of ['task.detail', 'task.listMessages', 'task.stream', 'task.stop', 'task.delete', 'task.update']) {
        for (const task_id of ids) {
          const { status, body } = await api.call(name, { task_id }, { key: stranger.key });
          expect([name, task_id, status, body.error]).toEqual([
            name,
            task_id,
            404,
            { code: 'not_found', message: 'task not found' },
          ]);
        }
      }
      const { status } = await api.call(
        'task.sendMessage',
        { task_id: foreign, message: { content: 'x' } },
        { key: stranger.key },
      );
      expect(status).toBe(404);
      expect((await api.call('task.detail', { task_id: foreign })).body.task.status).toBe('running');
    });
  });

  describe('task.sendMessage', () => {
    it('wakes a stopped task: a running status newer than the stopped one appears immediately', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const hand = await WorkerHand.take(store.database, taskId);
      await hand.finish('done');
      expect((await api.call('task.detail', { task_id: taskId })).body.task.status).toBe('stopped');
      const { body } = await api.call('task.sendMessage', { task_id: taskId, message: { content: 'more' } });
      expect(body).toEqual({ ok: true, request_id: someRequestId, task_id: taskId });
      const list = await api.call('task.listMessages', { task_id: taskId });
      expect(typesOf(list.body.messages)).toEqual([
        'running',
        'user_message',
        'stopped',
        'assistant_message',
        'running',
        'user_message',
      ]);
      expect((await api.call('task.detail', { task_id: taskId })).body.task.status).toBe('running');
    });

    it('answers a waiting task', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask('x', { interactive_mode: true });
      await (await WorkerHand.take(store.database, taskId)).ask('Which colour?');
      const waiting = (await api.call('task.listMessages', { task_id: taskId, limit: 2 })).body.messages;
      const detail = (waiting[0]?.status_update as Json | undefined)?.status_detail;
      expect(detail).toEqual({
        waiting_for_event_id: waiting[1]?.id,
        waiting_for_event_type: 'messageAskUser',
        waiting_description: 'Which colour?',
      });
      expect((await api.call('task.detail', { task_id: taskId })).body.task.status).toBe('waiting');
      await api.call('task.sendMessage', { task_id: taskId, message: { content: 'red' } });
      expect((await api.call('task.detail', { task_id: taskId })).body.task.status).toBe('running');
    });

    it('keeps the profile if it is omitted or empty, and changes it otherwise', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask('x', { agent_profile: 'service-1.6-max' });
      const profileAfter = async (more: Json) => {
        await api.call('task.sendMessage', { task_id: taskId, message: { content: 'y' }, ...more });
        return (await api.call('task.detail', { task_id: taskId })).body.task.agent_profile;
      };
      expect(await profileAfter({})).toBe('service-1.6-max');
      expect(await profileAfter({ agent_profile: '' })).toBe('service-1.6-max');
      expect(await profileAfter({ agent_profile: null })).toBe('service-1.6-max');
      expect(await profileAfter({ agent_profile: 'service-1.6-lite' })).toBe('service-1.6-lite');
    });
  });

  describe('task.stop', () => {
    it('stops a running task with a user_stop event, and does nothing to an idle one', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const first = await api.call('task.stop', { task_id: taskId });
      expect(first.body).toEqual({ ok: true, request_id: someRequestId });
      const stopped = (await api.call('task.listMessages', { task_id: taskId })).body.messages;
      expect(typesOf(stopped)).toEqual(['stopped', 'user_stop', 'running', 'user_message']);
      expect((await api.call('task.stop', { task_id: taskId })).status).toBe(200);
      expect((await api.call('task.listMessages', { task_id: taskId })).body.messages).toEqual(stopped);
    });

    it('is told from an end by the agent in task.detail and task.list, until the next turn', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const stoppedBy = async () => {
        const { task } = (await api.call('task.detail', { task_id: taskId })).body;
        const [listed] = (await api.call('task.list')).body.data;
        expect(listed).toEqual(task);
        return [task.status, task.stopped_by];
      };
      expect(await stoppedBy()).toEqual(['running', undefined]);
      await api.call('task.stop', { task_id: taskId });
      expect(await stoppedBy()).toEqual(['stopped', 'user']);
      await api.call('task.sendMessage', { task_id: taskId, message: { content: 'again' } });
      expect(await stoppedBy()).toEqual(['running', undefined]);
      const worker = await WorkerHand.take(store.database, taskId);
      await worker.log({ type: 'assistant_message', text: 'done' }, { type: 'stopped', by: 'agent' });
      expect(await stoppedBy()).toEqual(['stopped', 'agent']);
    });
  });

  describe('task.delete', () => {
    it('deletes a running task with everything that belongs to it', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const { body } = await api.call('task.delete', { task_id: taskId });
      expect(body).toEqual({ ok: true, request_id: someRequestId, id: taskId, deleted: true });
      expect((await api.call('task.detail', { task_id: taskId })).status).toBe(404);
      expect((await api.call('task.list')).body.data).toEqual([]);
      expect(await store.query('SELECT seq FROM events WHERE task_id = ?', taskId)).toEqual([]);
      expect((await api.call('task.delete', { task_id: taskId })).status).toBe(404);
    });
  });

  describe('task.update', () => {
    it('changes the given fields and keeps the others', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask('x', { title: 'Old' });
      const renamed = await api.call('task.update', { task_id: taskId, title: 'New\u0007 title' });
      expect(renamed.body).toMatchObject({ task_id: taskId, task_title: 'New title', share_visibility: 'private' });
      await api.call('task.update', { task_id: taskId, enable_visible_in_task_list: false });
      const [row] = await store.query('SELECT title, hidden FROM tasks WHERE id = ?', taskId);
      expect(row).toEqual({ title: 'New title', hidden: 1 });
    });
  });

  describe('task.listMessages', () => {
    it('shows tool use, plan, and explanations to verbose readers only, and internal events to no one', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      await (await WorkerHand.take(store.database, taskId)).step(1);
      const list = async (more: Json) =>
        (await api.call('task.listMessages', { task_id: taskId, order: 'asc', ...more })).body.messages;
      expect(typesOf(await list({}))).toEqual(['user_message', 'running', 'assistant_message']);
      expect(typesOf(await list({ verbose: false }))).toEqual(['user_message', 'running', 'assistant_message']);
      const verbose = await list({ verbose: true });
      const expected = ['user_message', 'running', 'explanation', 'tool_used', 'plan_update', 'assistant_message'];
      expect(typesOf(verbose)).toEqual(expected);
      expect(new Set(verbose.map(({ id }) => id)).size).toBe(verbose.length);
      expect(await list({ verbose: true, slides_format: 'pptx' })).toEqual(verbose);
    });

    it('begins with the start event, in either order, and finds it with every page size', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      await (await WorkerHand.take(store.database, taskId)).step(1);
      const list = async (more: Json) => (await api.call('task.listMessages', { task_id: taskId, verbose: true, ...more })).body;
      const all = (await list({ order: 'asc' })).messages.map(({ id }) => id);
      for (const [index, start] of all.entries()) {
        const idsFrom = async (order: string) => (await list({ order, start_event_id: start })).messages.map(({ id }) => id);
        expect(await idsFrom('asc')).toEqual(all.slice(index));
        expect(await idsFrom('desc')).toEqual(all.slice(0, index + 1).toReversed());
      }
      const first = await list({ order: 'asc', start_event_id: all[1], limit: 2 });
      expect(first.messages.map(({ id }) => id)).toEqual(all.slice(1, 3));
      const second = await list({ order: 'asc', start_event_id: all[1], limit: 2, cursor: first.next_cursor });
      expect(second.messages.map(({ id }) => id)).toEqual(all.slice(3, 5));
    });
  });
});
