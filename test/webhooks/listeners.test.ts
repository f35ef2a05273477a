import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import {
  deleteExpiredListeners,
  listenerIdleMs,
  listenerTtlMs,
  maxKept,
  maxListeners,
} from '../../src/store/webhooks/listeners.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber, someText } from '../support/http/matchers.ts';
import { WebhooksUnderTest } from './webhooks-under-test.ts';

interface Kept {
  id: string;
  event_id: string;
  headers: Record<string, string>;
  body: string | null;
}

const url = 'http://localhost:3000/hook';

describeStores('a listener', (store) => {
  const start = () => WebhooksUnderTest.start(store.database);

  async function listen({ api }: WebhooksUnderTest, options: Parameters<typeof api.call>[2] = {}) {
    const { status, body } = await api.call('webhook.listen', { url }, options);
    expect([status, body.listener]).toEqual([200, { id: someId, url, secret: someText(/^whsec_/), expires_at: someNumber }]);
    return body.listener as { id: string; secret: string };
  }

  async function pull({ api }: WebhooksUnderTest, id: string, received: readonly string[] = []): Promise<Kept[]> {
    const { status, body } = await api.call('webhook.pull', { listener_id: id, received });
    expect(status).toBe(200);
    return body.data as unknown as Kept[];
  }

  it('gets each event as the request that a webhook gets, signed with its secret, until it was received', async () => {
    await using bed = await start();
    await bed.register();
    const { id, secret } = await listen(bed);
    expect(await pull(bed, id)).toEqual([]);
    await bed.api.createTask();
    const [message] = await bed.receive(1);
    const [event] = await pull(bed, id);
    expect(event?.body).toBe(message?.body);
    expect(event && new Webhook(secret).verify(event.body ?? '', event.headers)).toEqual(message?.event);
    expect(Object.keys(event?.headers ?? {}).every((name) => message?.headers[name] !== undefined)).toBe(true);
    expect(await pull(bed, id)).toMatchObject([{ id: event?.id, event_id: event?.event_id }]);
    expect(await pull(bed, id, [String(event?.id)])).toEqual([]);
    expect(await pull(bed, id)).toEqual([]);
  });

  it('gets at most ten events at a time, and none twice', async () => {
    await using bed = await start();
    const { id } = await listen(bed);
    const tasks: string[] = [];
    for (let count = 0; count < 13; count += 1) tasks.push(await bed.api.createTask());
    const first = await pull(bed, id);
    expect(first).toHaveLength(10);
    const second = await pull(
      bed,
      id,
      first.map((event) => event.id),
    );
    const events = [...first, ...second].map((event) => event.event_id);
    expect(events.toSorted()).toEqual(tasks.map((task) => `task_created_${task}`).toSorted());
    expect(
      await pull(
        bed,
        id,
        second.map((event) => event.id),
      ),
    ).toEqual([]);
  });

  it('is sent nothing, is not among the webhooks, and is neither enabled nor given another secret', async () => {
    await using bed = await start();
    const { id } = await listen(bed);
    await bed.api.createTask();
    const [delivery] = await bed.readDeliveries((found) => found.length === 1);
    expect(delivery).toMatchObject({ webhook_id: id, status: 'skipped', attempt_count: 0 });
    expect((await bed.api.call('webhook.list')).body.data).toEqual([]);
    expect((await bed.operate('POST', 'webhook.enable', { webhook_id: id })).status).toBe(404);
    expect((await bed.operate('POST', 'webhook.resend', { webhook_id: id })).status).toBe(404);
    expect((await bed.operate('POST', 'webhook.resend', { delivery_id: String(delivery?.id) })).status).toBe(404);
    expect((await bed.api.call('webhook.rotateSecret', { webhook_id: id })).status).toBe(404);
    expect((await bed.api.call('webhook.trigger', { event: 'ping' })).status).toBe(412);
    expect(await pull(bed, id)).toHaveLength(1);
  });

  it('ends when it is deleted, and a webhook is none', async () => {
    await using bed = await start();
    const { id } = await listen(bed);
    const webhook = await bed.register();
    expect((await bed.api.call('webhook.delete', { webhook_id: id })).status).toBe(200);
    await bed.api.createTask();
    await bed.receive(1);
    expect(await store.query('SELECT webhook_id FROM deliveries')).toEqual([{ webhook_id: webhook.id }]);
    for (const gone of [id, webhook.id, 'unknown']) {
      expect((await bed.api.call('webhook.pull', { listener_id: gone, received: [id] })).status).toBe(404);
    }
  });

  it('ends after a day, and is deleted then', async () => {
    await using bed = await start();
    const [old, young] = [await listen(bed), await listen(bed)];
    await store.query('UPDATE webhooks SET created_at = created_at - ? WHERE id = ? RETURNING id', listenerTtlMs, old.id);
    expect((await bed.api.call('webhook.pull', { listener_id: old.id })).status).toBe(404);
    expect(await store.database.run(deleteExpiredListeners, { limit: 100 })).toBe(1);
    expect(await store.query('SELECT id FROM webhooks')).toEqual([{ id: young.id }]);
    expect(await pull(bed, young.id)).toEqual([]);
  });

  it('belongs to its account, whose events alone it gets', async () => {
    await using bed = await start();
    const { key } = await addOwner(store.database);
    const { id } = await listen(bed);
    const foreign = await listen(bed, { key });
    await bed.api.createTask();
    const [event] = await pull(bed, id);
    const received = [String(event?.id)];
    expect((await bed.api.call('webhook.pull', { listener_id: id, received }, { key })).status).toBe(404);
    const mine = await bed.api.call('webhook.pull', { listener_id: foreign.id, received }, { key });
    expect([mine.status, mine.body.data]).toEqual([200, []]);
    expect(await pull(bed, id)).toHaveLength(1);
  });

  it('is refused beyond five at a time, and for a URL that nothing can be posted to', async () => {
    await using bed = await start();
    for (let count = 0; count < maxListeners; count += 1) await listen(bed);
    const messageOf = ({ status, body }: { status: number; body: Json }) => [status, (body.error as { message: string }).message];
    expect(messageOf(await bed.api.call('webhook.listen', { url }))).toEqual([429, someText(/can have 5 listeners/)]);
    expect(await store.query('SELECT id FROM webhooks')).toHaveLength(maxListeners);
    const incomplete = await bed.api.call('webhook.listen', { url: 'localhost:3000' });
    expect(messageOf(incomplete)).toEqual([400, someText(/^url: must begin/)]);
    expect((await bed.api.call('webhook.create', { url: bed.receiver.url('/hook') })).status).toBe(200);
  });

  it('gives way to a new one once nobody has asked for its events for ten minutes', async () => {
    await using bed = await start();
    const ids: string[] = [];
    for (let count = 0; count < maxListeners; count += 1) ids.push((await listen(bed)).id);
    await store.query('UPDATE webhooks SET pulled_at = pulled_at - ? RETURNING id', listenerIdleMs);
    const [left = '', ...asked] = ids;
    for (const id of asked) await pull(bed, id);
    const fresh = await listen(bed);
    expect((await bed.api.call('webhook.pull', { listener_id: left })).status).toBe(404);
    for (const id of [...asked, fresh.id]) expect(await pull(bed, id)).toEqual([]);
    expect((await bed.api.call('webhook.listen', { url })).status).toBe(429);
  });

  it('says which events it has lost because too many waited, and keeps what happens later', async () => {
    await using bed = await start();
    const { id } = await listen(bed);
    const kept = await bed.api.createTask();
    await store.query('UPDATE deliveries SET body = ? RETURNING id', JSON.stringify('x'.repeat(maxKept.bytes)));
    const lost = await bed.api.createTask();
    const events = await pull(bed, id);
    expect(events.map(({ event_id, body }) => [event_id, body === null])).toEqual([
      [`task_created_${kept}`, false],
      [`task_created_${lost}`, true],
    ]);
    expect(
      await pull(
        bed,
        id,
        events.map((event) => event.id),
      ),
    ).toEqual([]);
    const later = await bed.api.createTask();
    expect(await pull(bed, id)).toMatchObject([{ event_id: `task_created_${later}`, body: someText(/./) }]);
  });
});
