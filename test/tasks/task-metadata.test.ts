import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import { WebhooksUnderTest } from '../webhooks/webhooks-under-test.ts';

describeStores('metadata of a task', (store) => {
  const detail = async (api: ApiUnderTest, task_id: string) => (await api.call('task.detail', { task_id })).body.task;
  const list = async (api: ApiUnderTest, query: Json) => (await api.call('task.list', query)).body.data.map(({ id }) => id);

  it('is kept as text, changed by key, and shown wherever the task is', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await api.createTask('x', { metadata: { order: 'a1', count: 3, paid: true, none: null } });
    expect((await detail(api, id)).metadata).toEqual({ order: 'a1', count: '3', paid: 'true' });
    expect((await api.call('task.list')).body.data[0]?.metadata).toEqual({ order: 'a1', count: '3', paid: 'true' });
    const changed = await api.call('task.update', { task_id: id, metadata: { order: 'b2', paid: null, 'x.y-z_1': '' } });
    expect(changed.status).toBe(200);
    expect((await detail(api, id)).metadata).toEqual({ order: 'b2', count: '3', 'x.y-z_1': '' });
    expect(await list(api, { 'metadata.order': 'b2', 'metadata.count': '3' })).toEqual([id]);
    expect(await list(api, { 'metadata.order': 'a1' })).toEqual([]);
    await api.call('task.update', { task_id: id, title: 'y' });
    expect((await detail(api, id)).metadata).toMatchObject({ order: 'b2' });
    expect(await detail(api, await api.createTask())).not.toHaveProperty('metadata');
    await api.call('task.delete', { task_id: id });
    expect(await store.query('SELECT key FROM task_metadata WHERE task_id = ?', id)).toEqual([]);
  });

  it('comes with the events that webhooks receive', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    await bed.register();
    const taskId = await bed.api.createTask('x', { metadata: { order: 'a1' } });
    await (await WorkerHand.take(store.database, taskId)).finish('done');
    for (const { event } of await bed.receive(2)) expect(event.task_detail).toMatchObject({ metadata: { order: 'a1' } });
  });

  it.each<[Json, string]>([
    [{ metadata: 'x' }, 'metadata: must be an object'],
    [{ metadata: { 'a b': 'x' } }, 'metadata: keys must be'],
    [{ metadata: { a: {} } }, 'metadata.a: must be a string of at most 512 characters'],
    [{ metadata: { a: 'x'.repeat(513) } }, 'metadata.a: must be a string'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, key) => [`k${key}`, 'x'])) },
      'metadata: must have at most 16 keys',
    ],
  ])('is refused beyond its limits (%#)', async (more, words) => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await api.call('task.create', { message: { content: 'x' }, ...more });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('never gets more than 16 keys by updates', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, key) => [`k${key}`, 'x']));
    const task_id = await api.createTask('x', { metadata });
    const update = async (change: Json) => (await api.call('task.update', { task_id, metadata: change })).status;
    expect(await update({ more: 'x' })).toBe(400);
    expect(await update({ more: 'x', k0: null })).toBe(200);
  });

  describe('and other filters of task.list', () => {
    it('find tasks by status, creation time and metadata, page by page', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const ids: string[] = [];
      for (let count = 0; count < 9; count++) {
        const id = await api.createTask('x', { metadata: { third: count % 3, all: 'yes' } });
        ids.unshift(id);
        const hand = await WorkerHand.take(store.database, id);
        if (count % 3 === 0) await hand.finish('done');
        if (count % 3 === 1) await hand.log({ type: 'error', errorType: 'x', text: 'x' }, { type: 'failed' });
      }
      const all = async (query: Json) => {
        const found: unknown[] = [];
        for (let cursor: Json = {}; ; ) {
          const { body } = await api.call('task.list', { limit: '2', ...query, ...cursor });
          found.push(...body.data.map(({ id }) => ids.indexOf(String(id))));
          if (body.has_more !== true) return found;
          cursor = { cursor: body.next_cursor };
        }
      };
      expect(await all({ status: 'stopped' })).toEqual([2, 5, 8]);
      expect(await all({ status: 'running,error' })).toEqual([0, 1, 3, 4, 6, 7]);
      expect(await all({ status: 'running,error', order: 'asc' })).toEqual([7, 6, 4, 3, 1, 0]);
      expect(await all({ 'metadata.third': '1' })).toEqual([1, 4, 7]);
      expect(await all({ 'metadata.all': 'yes', 'metadata.third': '2', order: 'asc' })).toEqual([6, 3, 0]);
      expect(await all({ 'metadata.all': 'yes', status: 'error,stopped' })).toEqual([1, 2, 4, 5, 7, 8]);
      expect(await all({ created_after: '4000000000' })).toEqual([]);
      expect(await all({ created_before: '1000000000' })).toEqual([]);
      expect(await all({ created_after: '1000000000', created_before: '4000000000' })).toHaveLength(9);
      const day = 86_400;
      const now = Math.floor(Date.now() / 1000);
      expect(await all({ created_after: String(now - day), created_before: String(now + day), order: 'asc' })).toHaveLength(9);
      expect(await all({ created_after: String(now - day), 'metadata.third': '1' })).toEqual([1, 4, 7]);
      expect(await all({ created_after: String(now + day) })).toEqual([]);
      expect(await all({ created_before: '999999999999' })).toHaveLength(9);
      const { next_cursor } = (await api.call('task.list', { limit: '2', status: 'stopped' })).body;
      expect((await api.call('task.list', { limit: '2', status: 'error', cursor: next_cursor })).status).toBe(400);
    });

    it.each<[Json, string]>([
      [{ status: 'done' }, 'status: must be of running, '],
      [{ created_after: 'yesterday' }, 'created_after: must be a Unix time in seconds'],
      [{ 'metadata.a b': 'x' }, 'metadata: keys must be'],
    ])('are refused where they are not valid (%#)', async (query, words) => {
      await using api = await ApiUnderTest.start(store.database);
      const { status, body } = await api.call('task.list', query);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)]);
    });
  });
});
