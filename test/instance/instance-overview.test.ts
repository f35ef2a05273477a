import { expect, it } from 'vitest';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import { describeStores } from '../support/db/databases.ts';
import { addInstanceKey, addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const away: TaskEvent = { type: 'model_waiting', model: 'p/m', sinceMs: 60_000, nextTryAtMs: 90_000 };

describeStores('what the operator sees of the whole instance', (store) => {
  async function start() {
    const api = await ApiUnderTest.start(store.database);
    const key = await addInstanceKey(store.database);
    const ask = async (name: string, input: Json = {}) => (await api.call(name, input, { key })).body;
    const mine = { account_id: api.owner.accountId };
    const holds = async () =>
      (await ask('instance.listTasks', mine)).data.map(({ id, hold }) => [id, (hold as Json | null)?.reason ?? null]);
    return { api, ask, mine, holds, [Symbol.asyncDispose]: () => api.stop() };
  }

  it('says of each task what it waits for, and nothing that was written in it', async () => {
    await using world = await start();
    const { api, ask, mine, holds } = world;
    const asking = await api.createTask('canary of the task');
    await (await WorkerHand.take(store.database, asking)).ask('canary of the question?');
    const done = await api.createTask();
    await (await WorkerHand.take(store.database, done)).finish('canary of the end');
    const outage = await api.createTask();
    const hand = await WorkerHand.take(store.database, outage);
    await hand.log(away);
    const queued = await api.createTask();
    expect(await holds()).toEqual([
      [asking, 'answer'],
      [done, null],
      [outage, 'model_outage'],
      [queued, 'place'],
    ]);
    const { data } = await ask('instance.listTasks', { ...mine, status: 'running' });
    expect(data[0]).toMatchObject({
      worker_id: 'test-worker',
      lease_until: expect.any(Number) as number,
      hold: { name: 'p/m', since: 60, until: 90 },
    });
    expect(JSON.stringify(await ask('instance.listTasks', mine))).not.toContain('canary');
    await hand.finish('done');
  });

  it('lists only tasks of a minimum age, page by page', async () => {
    await using world = await start();
    const { api, ask, mine } = world;
    const ids = [await api.createTask(), await api.createTask(), await api.createTask()];
    const [old, , older] = ids;
    await store.query('UPDATE tasks SET created_at = created_at - 7200000 WHERE id IN (?, ?)', old ?? '', older ?? '');
    const found: unknown[] = [];
    for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await ask('instance.listTasks', { ...mine, min_age_seconds: '3600', limit: '1', ...(!isFirst && { cursor }) });
      found.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual([old, older]);
  });

  it('tells which models tasks wait for, and since when', async () => {
    await using world = await start();
    const { api, ask } = world;
    const hands: WorkerHand[] = [];
    for (const sinceMs of [60_000, 30_000]) {
      const hand = await WorkerHand.take(store.database, await api.createTask());
      await hand.log({ ...away, sinceMs });
      hands.push(hand);
    }
    const { health } = (await ask('instance.health')) as unknown as { health: Json };
    expect(health.model_outages).toEqual([{ model: 'p/m', tasks: 2, since: 30 }]);
    expect(health.database_ms).toBeGreaterThanOrEqual(0);
    for (const hand of hands) await hand.finish('done');
  });

  it('lists the queues of accounts, first the one that has waited longest, page by page', async () => {
    await using world = await start();
    const { api, ask } = world;
    const other = await addOwner(store.database);
    await store.query('UPDATE tasks SET wake_at = NULL WHERE wake_at IS NOT NULL RETURNING id');
    const [mine] = [await api.createTask(), await api.createTask()];
    await api.call('task.create', { message: { content: 'x' } }, { key: other.key });
    await store.query('UPDATE tasks SET wake_at = wake_at - 60000 WHERE id = ?', mine);
    const first = await ask('instance.listQueues', { limit: '1' });
    expect(first.data).toEqual([
      {
        ...{ account_id: api.owner.accountId, email: expect.any(String) as string, active_tasks: 2, queued_tasks: 2 },
        queue_age_seconds: expect.any(Number) as number,
      },
    ]);
    expect(Number(first.data[0]?.queue_age_seconds)).toBeGreaterThanOrEqual(60);
    const second = await ask('instance.listQueues', { limit: '1', cursor: first.next_cursor });
    expect(second.data).toMatchObject([{ account_id: other.accountId, active_tasks: 1, queued_tasks: 1 }]);
    expect(second.has_more).toBe(false);
  });

  it('lists deliveries that failed permanently, newest first, without bodies, replies, and the paths of webhooks', async () => {
    await using world = await start();
    const { api, ask } = world;
    await store.query('DELETE FROM deliveries RETURNING id');
    const { webhook } = (await api.call('webhook.create', { url: 'https://example.com/canary/path' })).body as unknown as {
      webhook: { id: string };
    };
    const log = JSON.stringify([{ atMs: 9000, status: 500, error: null, durationMs: 1, excerpt: 'canary of the reply' }]);
    for (const [id, status] of [
      ['d1', 'failed'],
      ['d2', 'delivered'],
      ['d3', 'failed'],
    ]) {
      await store.query(
        `INSERT INTO deliveries (account_id, id, webhook_id, task_id, event_id, event_type, body, status, fence, attempts, tries, log,
           created_at, ended_at) VALUES (?, ?, ?, 't', 'e', 'task_stopped', 'canary of the body', ?, 1, 8, 8, ?, 5000, 9000)`,
        ...[api.owner.accountId, id ?? '', webhook.id, status ?? '', log],
      );
    }
    const first = await ask('instance.listDeliveries', { limit: '1' });
    expect(first.data).toMatchObject([
      { id: 'd3', host: 'example.com', attempt_count: 8, last_attempt_at: 9, last_status: 500, last_error: null },
    ]);
    const second = await ask('instance.listDeliveries', { limit: '1', cursor: first.next_cursor });
    expect(second.data.map(({ id }) => id)).toEqual(['d1']);
    expect(JSON.stringify([first, second])).not.toContain('canary');
  });

  it('lists accounts with what they store', async () => {
    await using world = await start();
    const { api, ask, mine } = world;
    await api.blobs.put(api.owner.accountId, [new Uint8Array(60)] as unknown as AsyncIterable<Uint8Array>, { maxBytes: 1000 });
    const { data } = await ask('instance.listAccounts', { query: mine.account_id });
    expect(data).toMatchObject([{ id: mine.account_id, storage: { bytes: 60, files: 1 } }]);
  });
});
