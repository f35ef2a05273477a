import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, addOwner, type Json } from '../support/http/api-under-test.ts';
import { invalidArgument, someRequestId, someText } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

/** All items of a list, page by page. */
async function traverse(api: ApiUnderTest, name: string, input: Json, field: 'data' | 'messages'): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor: unknown; ; ) {
    const { status, body } = await api.call(name, { ...input, ...(cursor !== undefined && { cursor }) });
    expect(status).toBe(200);
    items.push(...body[field]);
    expect('next_cursor' in body).toBe(body.has_more);
    if (!body.has_more) return items;
    expect(body[field].length).toBe(Number(input.limit));
    cursor = body.next_cursor;
  }
}

describeStores('paged lists', (store) => {
  it('of events end early when these are large, and join to all', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const content = `say ${'w'.repeat(150_000)}`;
    const taskId = await api.createTask(content);
    const texts = [content, ...Array.from({ length: 6 }, (_, index) => `${index} ${content}`)];
    for (const text of texts.slice(1)) await api.call('task.sendMessage', { task_id: taskId, message: { content: text } });
    const read: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== undefined; ) {
      const input = { task_id: taskId, limit: 200, order: 'asc', ...(cursor !== '' && { cursor }) };
      const { body } = await api.call('task.listMessages', input);
      expect(JSON.stringify(body).length).toBeLessThan(600_000);
      expect('next_cursor' in body).toBe(body.has_more);
      read.push(...body.messages.flatMap(({ user_message: said }) => (said as Json | undefined)?.content ?? []));
      cursor = body.next_cursor;
    }
    expect(read).toEqual(texts);
  });

  describe('task.list', () => {
    it('returns every task once and in order, whatever the page size', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const ids: string[] = [];
      for (let index = 0; index < 23; index++) ids.push(await api.createTask(`task ${index}`));
      const sizes = fc.constantFrom(1, 2, 7, 22, 23, 24, 100);
      await fc.assert(
        fc.asyncProperty(sizes, fc.constantFrom('asc', 'desc'), async (limit, order) => {
          const found = (await traverse(api, 'task.list', { limit, order }, 'data')).map(({ id }) => id);
          expect(found).toEqual(order === 'asc' ? ids : ids.toReversed());
        }),
        { numRuns: 14 },
      );
    });

    it('shows 20 tasks by default, newest first, and none of another account', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const stranger = await addOwner(store.database);
      const ids = await Promise.all(Array.from({ length: 21 }, () => api.createTask()));
      const { body } = await api.call('task.list');
      expect(body.data.map(({ id }) => id)).toEqual(ids.toSorted().reverse().slice(0, 20));
      expect(body.has_more).toBe(true);
      const theirs = await api.call('task.list', {}, { key: stranger.key });
      expect(theirs.body).toEqual({ ok: true, request_id: someRequestId, data: [], has_more: false });
    });

    it('continues after a deleted task', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const ids = [await api.createTask(), await api.createTask(), await api.createTask()];
      const page = await api.call('task.list', { limit: 1, order: 'asc' });
      await api.call('task.delete', { task_id: ids[0] });
      const next = await api.call('task.list', { limit: 1, order: 'asc', cursor: page.body.next_cursor });
      expect(next.body.data.map(({ id }) => id)).toEqual([ids[1]]);
    });

    it('filters by scope and by the key that created a task', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const idsFor = async (input: Json) => (await api.call('task.list', input)).body.data.map(({ id }) => id);
      expect(await idsFor({ scope: 'standard' })).toEqual([taskId]);
      expect(await idsFor({ api_key_id: api.owner.keyId })).toEqual([taskId]);
      for (const none of [
        { api_key_id: 'A'.repeat(22) },
        { api_key_id: 'unknown' },
        { oauth_client_id: 'unknown' },
        { scope: 'project', project_id: 'A'.repeat(22) },
        { project_id: 'A'.repeat(22) },
        { scope: 'agent_subtask', agent_id: '00000000-0000-7000-8000-000000000000' },
        { scope: 'agent_subtask', agent_id: 'agent-default' },
        { agent_id: 'a\0b' },
        { scope: 'project', project_id: 'nonsense' },
      ]) {
        expect(await idsFor(none)).toEqual([]);
      }
    });

    it.each([
      [{ api_key_id: 'a', oauth_client_id: 'b' }, 'api_key_id: cannot be combined with oauth_client_id'],
      [{ scope: 'project' }, 'project_id is required when scope is project'],
      [{ scope: 'agent_subtask' }, 'agent_id is required when scope is agent_subtask'],
      [{ scope: 'mine' }, 'scope: must be one of "all", "agent_subtask", "project", "standard"'],
      [{ order: 'up' }, 'order: must be one of "asc", "desc"'],
      [{ limit: '0' }, 'limit: must be an integer between 1 and 100'],
      [{ limit: '101' }, 'limit: must be an integer between 1 and 100'],
      [{ limit: '1e1' }, 'limit: must be an integer between 1 and 100'],
      [{ limit: '99999999999999999999' }, 'limit: must be an integer between 1 and 100'],
    ])('refuses %j', async (input, message) => {
      await using api = await ApiUnderTest.start(store.database);
      const { status, body } = await api.call('task.list', input);
      expect([status, body.error]).toEqual([400, invalidArgument(message)]);
    });
  });

  describe('a cursor', () => {
    it('is valid for its own query and account only, and invalid if a single character changes', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const stranger = await addOwner(store.database);
      for (let index = 0; index < 3; index++) await api.createTask();
      const cursor = (await api.call('task.list', { limit: 1 })).body.next_cursor as string;
      const statusOf = async (input: Json, key = api.owner.key) => (await api.call('task.list', input, { key })).status;
      expect(await statusOf({ cursor, limit: 50 })).toBe(200);
      expect(await statusOf({ cursor, order: 'asc' })).toBe(400);
      expect(await statusOf({ cursor, scope: 'standard' })).toBe(400);
      expect(await statusOf({ cursor, api_key_id: api.owner.keyId })).toBe(400);
      expect(await statusOf({ cursor }, stranger.key)).toBe(400);
      for (let at = 0; at < cursor.length; at += 5) {
        const other = cursor[at] === 'A' ? 'B' : 'A';
        expect(await statusOf({ cursor: cursor.slice(0, at) + other + cursor.slice(at + 1) })).toBe(400);
      }
      for (const wrong of ['x', '%00', 'ä', `${cursor}A`, cursor.slice(0, -4), 'A'.repeat(4000)]) {
        const { body } = await api.call('task.list', { cursor: wrong });
        expect(body.error).toMatchObject({
          code: 'invalid_argument',
          message: someText(/^cursor: does not belong/),
        });
      }
    });
  });

  describe('task.listMessages', () => {
    it('returns every event once and in order, whatever the page size', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const hand = await WorkerHand.take(store.database, taskId);
      for (let step = 1; step <= 6; step++) await hand.step(step);
      const whole = async (verbose: boolean) =>
        (await api.call('task.listMessages', { task_id: taskId, verbose, order: 'asc', limit: 200 })).body.messages;
      const all = { true: await whole(true), false: await whole(false) };
      expect([all.true.length, all.false.length]).toEqual([26, 8]);
      const sizes = fc.constantFrom(1, 3, 5, 8, 26, 200);
      await fc.assert(
        fc.asyncProperty(sizes, fc.constantFrom('asc', 'desc'), fc.boolean(), async (limit, order, verbose) => {
          const found = await traverse(api, 'task.listMessages', { task_id: taskId, limit, order, verbose }, 'messages');
          const expected = all[`${verbose}`];
          expect(found).toEqual(order === 'asc' ? expected : expected.toReversed());
        }),
        { numRuns: 24 },
      );
    });

    it('keeps its position while the log grows', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const taskId = await api.createTask();
      const hand = await WorkerHand.take(store.database, taskId);
      await hand.step(1);
      const page = await api.call('task.listMessages', { task_id: taskId, limit: 1 });
      await hand.step(2);
      const next = await api.call('task.listMessages', { task_id: taskId, limit: 10, cursor: page.body.next_cursor });
      expect(next.body.messages.map(({ type }) => type)).toEqual(['status_update', 'user_message']);
    });

    it.each([
      [{ limit: 0 }, 'limit: must be an integer between 1 and 200'],
      [{ limit: 201 }, 'limit: must be an integer between 1 and 200'],
      [{ limit: '-1' }, 'limit: must be an integer between 1 and 200'],
      [{ verbose: 'yes' }, 'verbose: must be true or false'],
      [{ slides_format: 'pdf' }, 'slides_format: must be one of "html", "pptx"'],
      [{ start_event_id: 'A'.repeat(22) }, 'start_event_id: is not an event of this task'],
      [{ start_event_id: 'evt_1' }, 'start_event_id: is not an event of this task'],
      [{ cursor: 'x' }, /^cursor: does not belong to this query/],
    ])('refuses %j', async (input, message) => {
      await using api = await ApiUnderTest.start(store.database);
      const { status, body } = await api.call('task.listMessages', { task_id: await api.createTask(), ...input });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_argument' });
      expect(body.error.message).toMatch(message);
    });

    it('requires a task', async () => {
      await using api = await ApiUnderTest.start(store.database);
      for (const name of ['task.listMessages', 'task.detail', 'task.stream']) {
        for (const input of [{}, { task_id: '' }]) {
          const { status, body } = await api.call(name, input);
          expect([status, body.error]).toEqual([400, invalidArgument('task_id is required')]);
        }
      }
    });
  });
});
