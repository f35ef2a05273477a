import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import type { ReceivedMessage } from '../support/webhooks/receiver.ts';
import { addOwner, type Json } from '../support/http/api-under-test.ts';
import { askLegacy } from '../support/http/legacy-call.ts';
import { someId, someText } from '../support/http/matchers.ts';
import { WebhooksUnderTest } from './webhooks-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

function typesOf(messages: readonly ReceivedMessage[]): unknown[] {
  return messages.map(({ event }) => event.event_type);
}

describeStores('webhooks of v1', (store) => {
  it('also receive progress, no structured output, and nothing after they are deleted', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    const { api } = bed;
    const url = bed.receiver.url('/v1-hook');
    const made = await askLegacy(api, '/v1/webhooks', { method: 'POST', body: { webhook: { url } } });
    expect([made.status, made.body]).toEqual([200, { webhook_id: someId }]);
    const taskId = await api.createTask();
    const worker = await WorkerHand.take(store.database, taskId);
    await worker.step(1);
    await worker.log(
      { type: 'stopped', by: 'agent' },
      { type: 'extract_delivered', success: true, value: { a: 1 }, error: null },
    );
    const messages = await bed.receive(3, '/v1-hook');
    expect(new Set(typesOf(messages))).toEqual(new Set(['task_created', 'task_progress', 'task_stopped']));
    const progress = messages.find(({ event }) => event.event_type === 'task_progress');
    expect(progress?.event).toEqual({
      event_id: someText(/^task_progress_/),
      event_type: 'task_progress',
      progress_detail: { task_id: taskId, progress_type: 'plan_update', message: 'one' },
    });
    expect(progress && (await bed.verifies(progress))).toBe(true);
    const stopped = messages.find(({ event }) => event.event_type === 'task_stopped')?.event.task_detail as Json;
    expect(stopped).toMatchObject({ stop_reason: 'finish', message: 'message 1' });
    expect(stopped).not.toHaveProperty('structured_output');

    const address = `/v1/webhooks/${String(made.body?.webhook_id)}`;
    const gone = await askLegacy(api, address, { method: 'DELETE' });
    expect([gone.status, gone.body]).toEqual([204, null]);
    const again = await askLegacy(api, address, { method: 'DELETE' });
    expect([again.status, again.body]).toEqual([404, { code: 5, message: 'webhook not found', details: [] }]);
    expect((await api.call('webhook.list')).body.data).toEqual([]);
  });

  it('are created with a v1 key, and every error has the format of v1', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    const { api } = bed;
    const json = { 'content-type': 'application/json' };
    const create = (body: unknown, headers?: Record<string, string>) =>
      askLegacy(api, '/v1/webhooks', { method: 'POST', body, ...(headers && { headers }) });
    const request = { webhook: { url: bed.receiver.url('/hook') } };
    const key = api.owner.key;
    const failures: [Awaited<ReturnType<typeof create>>, number, number][] = [
      [await create(request, json), 401, 16],
      [await create(request, { ...json, 'x-service-api-key': key }), 401, 16],
      [await create(request, { ...json, authorization: 'Bearer sk-nobody' }), 401, 16],
      [await create(request, { ...json, API_KEY: 'sk-nobody' }), 401, 16],
      [await create({}), 400, 3],
      [await create({ webhook: { url: 'ftp://example.com' } }), 400, 3],
      [await create([]), 400, 3],
      [await askLegacy(api, '/v1/nothing'), 404, 5],
      [await askLegacy(api, '/v1/webhooks'), 405, 3],
      [await askLegacy(api, '/v1/webhooks/none', { method: 'DELETE' }), 404, 5],
      [await create({ webhook: { url: 'x'.repeat(2 << 20) } }), 413, 3],
    ];
    for (const [{ status, body, headers }, expected, code] of failures) {
      expect([status, body?.code, body?.details]).toEqual([expected, code, []]);
      expect(Object.keys(body ?? {})).toEqual(['code', 'message', 'details']);
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
    const both = await create(request, { ...json, API_KEY: key, authorization: 'Bearer placeholder' });
    expect(both.status).toBe(200);
    const stranger = await addOwner(store.database);
    const foreign = await askLegacy(api, `/v1/webhooks/${String(both.body?.webhook_id)}`, {
      method: 'DELETE',
      headers: { API_KEY: stranger.key },
    });
    expect([foreign.status, foreign.body?.message]).toEqual([404, 'webhook not found']);
  });

  it('are registered once for each URL, and again after they were deleted', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    const { api } = bed;
    const create = (path: string, headers: Record<string, string> = {}) =>
      askLegacy(api, '/v1/webhooks', {
        method: 'POST',
        body: { webhook: { url: bed.receiver.url(path) } },
        headers: { API_KEY: api.owner.key, 'content-type': 'application/json', ...headers },
      });
    const key = { 'idempotency-key': 'once' };
    const first = await create('/one', key);
    const id = String(first.body?.webhook_id);
    const again = await create('/one');
    expect([again.status, again.body]).toEqual([
      409,
      { code: 6, message: `webhook.url: already registered as ${id}; delete that webhook first`, details: [] },
    ]);
    expect((await create('/one', key)).body).toEqual(first.body);
    expect((await create('/two')).status).toBe(200);
    await bed.register('/one');
    const together = await Promise.all([create('/three'), create('/three')]);
    expect(together.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await askLegacy(api, `/v1/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await create('/one')).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['without a credential', {}],
    ['with an API key', { API_KEY: 'of the owner' }],
    ['with a credential that counts for nothing', { API_KEY: 'sk-nobody', authorization: 'Bearer **' }],
  ])('verify with the key of v1, which is given %s', async (_, headers) => {
    await using bed = await WebhooksUnderTest.start(store.database);
    const key = headers.API_KEY === 'of the owner' ? { API_KEY: bed.api.owner.key } : headers;
    const { status, body } = await askLegacy(bed.api, '/v1/webhook/public_key', { headers: key });
    expect([status, body]).toEqual([
      200,
      {
        public_key: (await bed.readKeys()).public_key,
        algorithm: 'RSA-SHA256',
        created_at: someText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });
});
