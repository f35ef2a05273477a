import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { verifyRsaByOpenssl, verifyStandardByOpenssl } from '../support/webhooks/openssl-verifier.ts';
import type { Behaviour, ReceivedMessage } from '../support/webhooks/receiver.ts';
import { verifyRsa, verifyStandard } from '../support/webhooks/webhook-verifier.ts';
import { addOwner, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber, someRequestId, someText } from '../support/http/matchers.ts';
import { WebhooksUnderTest } from './webhooks-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

function detailOf(message: { event: Json } | undefined): Json {
  return message?.event.task_detail as Json;
}

describeStores('webhooks', (store) => {
  const start = (options?: Parameters<typeof WebhooksUnderTest.start>[1]) => WebhooksUnderTest.start(store.database, options);

  describe('webhook.create', () => {
    it('returns the webhook once its URL has accepted a signed test message', async () => {
      await using bed = await start();
      const url = bed.receiver.url('/hook?team=a%20b');
      const { status, body } = await bed.api.call('webhook.create', { url, events: ['ignored'] });
      expect(status).toBe(200);
      const webhook = { id: someId, url, status: 'active', created_at: someNumber };
      const secret = someText(/^whsec_/);
      expect(body).toEqual({ ok: true, request_id: someRequestId, webhook: { ...webhook, secret } });
      const [ping] = bed.receiver.messages;
      expect(ping?.event).toEqual({ event_id: someText(/^ping_/), event_type: 'ping' });
      expect(ping?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': ping?.event.event_id });
      expect(ping && (await bed.verifies(ping))).toBe(true);
      expect((await bed.api.call('webhook.list')).body.data).toEqual([webhook]);
    });

    it('accepts a URL that only accepts task events, and tests it with one', async () => {
      await using bed = await start();
      const statusOf = ({ event }: ReceivedMessage) => (event.event_type === 'task_created' ? 200 : 422);
      bed.receiver.answersProbes = false;
      bed.receiver.answer('/strict', (message, response) => response.writeHead(statusOf(message)).end());
      const { status } = await bed.api.call('webhook.create', { url: bed.receiver.url('/strict') });
      expect(status).toBe(200);
      const [ping, second] = bed.receiver.messages;
      expect(ping?.event.event_type).toBe('ping');
      const taskId = String(detailOf(second).task_id);
      expect(second?.event).toEqual({
        event_id: `task_created_${taskId}`,
        event_type: 'task_created',
        task_detail: { task_id: someId, task_title: 'Test message', task_url: someText(new RegExp(`/app/${taskId}$`)) },
      });
      expect(second && (await bed.verifies(second))).toBe(true);
    });

    it.each<[string, Behaviour, number]>([
      ['another status', 404, 2],
      ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), 2],
      ['a broken connection', (_, response) => response.destroy(), 1],
    ])('refuses an address that answers with %s, and keeps nothing of it', async (_, behaviour, probes) => {
      await using bed = await start();
      bed.receiver.answer('/hook', behaviour);
      bed.receiver.answersProbes = false;
      const { status, body } = await bed.api.call('webhook.create', { url: bed.receiver.url('/hook') });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_argument', message: someText(/^url: /) });
      expect(bed.receiver.messages).toHaveLength(probes);
      expect(await store.query('SELECT id FROM webhooks')).toEqual([]);
    });

    it('is not tried any longer once its caller has left, and keeps nothing of it', async () => {
      await using bed = await start();
      const leaving = new AbortController();
      const closed = new Promise<void>((resolve) => {
        bed.receiver.answer('/hook', (_, response) => {
          response.once('close', resolve);
          leaving.abort(new Error('the caller has left'));
        });
      });
      bed.receiver.answersProbes = false;
      const sent = fetch(`${bed.api.http.url()}/v2/webhook.create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-api-key': bed.api.owner.key },
        body: JSON.stringify({ url: bed.receiver.url('/hook') }),
        signal: leaving.signal,
      });
      await expect(sent).rejects.toThrow('the caller has left');
      await closed;
      expect(bed.receiver.messages).toHaveLength(1);
      expect(await store.query('SELECT id FROM webhooks')).toEqual([]);
    });

    it('rejects URLs that events cannot be sent to, and says why', async () => {
      await using bed = await start();
      const reasons: [url: unknown, message: RegExp][] = [
        [undefined, /^url is required/],
        [3, /^url: must be a string/],
        ['', /^url is required/],
        ['hooks.example.com', /^url: must be a complete web address/],
        ['ftp://hooks.example.com', /^url: must begin with https/],
        ['https://user:pass@hooks.example.com', /^url: must not contain a user name/],
        ['https://hooks.example.com/#part', /^url: must not contain a fragment/],
        [' https://hooks.example.com', /^url: must not contain spaces/],
        [`https://hooks.example.com/${'a'.repeat(2100)}`, /^url: must have at most 2048/],
        ['https://hooks.invalid', /^url: the host hooks\.invalid/],
      ];
      for (const [url, message] of reasons) {
        const { status, body } = await bed.api.call('webhook.create', { url });
        expect(status).toBe(400);
        expect(body.error).toEqual({ code: 'invalid_argument', message: someText(message), param: 'url' });
      }
    });

    it('accepts neither http nor non-public addresses, unless configured to', async () => {
      await using strict = await start({ allow: [], acceptsHttp: false });
      const refuse = async (url: string) => (await strict.api.call('webhook.create', { url })).body.error.message;
      expect(await refuse(strict.receiver.url())).toMatch(/^url: must begin with https:\/\/, not /);
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254', '0x7f.1']) {
        expect(await refuse(`https://${host}:8443/`)).toMatch(/resolves to an address that is not public/);
      }
      expect(strict.receiver.messages).toEqual([]);
    });

    it('allows twenty per account, and sends no test message for more', async () => {
      await using bed = await start();
      for (let index = 0; index < 20; index += 1) await bed.register();
      const { status, body } = await bed.api.call('webhook.create', { url: bed.receiver.url() });
      expect([status, body.error.code]).toEqual([429, 'resource_exhausted']);
      expect(bed.receiver.messages).toHaveLength(20);
    });
  });

  it('belong to one account', async () => {
    await using bed = await start();
    const { id } = await bed.register();
    const { key } = await addOwner(store.database);
    expect((await bed.api.call('webhook.list', {}, { key })).body.data).toEqual([]);
    const foreign = await bed.api.call('webhook.delete', { webhook_id: id }, { key });
    const missing = await bed.api.call('webhook.delete', { webhook_id: 'nothing' }, { key });
    expect([foreign.status, foreign.body.error]).toEqual([404, missing.body.error]);
    await bed.api.createTask();
    await bed.receive(1);
    expect((await bed.api.call('webhook.list', {}, { key: null })).status).toBe(401);
  });

  it("receive a task's creation and its end, each signed separately", async () => {
    await using bed = await start();
    await bed.register();
    const taskId = await bed.api.createTask('Write', { title: 'Poem' });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.step(1);
    await hand.finish('Here it is.');
    const messages = (await bed.receive(2)).toSorted((a, b) => a.event.event_type.localeCompare(b.event.event_type));
    const [created, stopped] = messages;
    const task = { task_id: taskId, task_title: 'Poem', task_url: `http://localhost:${bed.api.port}/app/${taskId}` };
    expect(created?.event).toEqual({ event_id: `task_created_${taskId}`, event_type: 'task_created', task_detail: task });
    expect(stopped?.event).toEqual({
      event_id: someText(new RegExp(`^task_stopped_${taskId}_\\d+$`)),
      event_type: 'task_stopped',
      task_detail: { ...task, message: 'Here it is.', attachments: [], stop_reason: 'finish', stopped_by: 'agent' },
    });
    for (const message of messages) {
      expect(await bed.verifies(message)).toBe(true);
      expect(message.headers['webhook-id']).toBe(message.event.event_id);
      expect(await bed.verifies({ ...message, body: message.body.replace('Poem', 'Poet') })).toBe(false);
      expect(await bed.verifies({ ...message, path: '/elsewhere' })).toBe(false);
    }
  });

  it('name the schedule that started a task', async () => {
    await using bed = await start();
    await bed.register();
    const made = await bed.api.call('schedule.create', { name: 'Report', message: 'Write it.', cron: '0 0 1 1 *' });
    const { id } = made.body.schedule as { id: string };
    const { task_id } = (await bed.api.call('schedule.runNow', { schedule_id: id })).body;
    const [created] = await bed.receive(1);
    expect(detailOf(created)).toMatchObject({ task_id, schedule_id: id });
  });

  it('are signed in a way that an independent program can verify', async () => {
    await using bed = await start();
    await bed.register();
    await bed.api.createTask();
    const [message] = await bed.receive(1);
    if (!message) throw new Error('nothing was received');
    const keys = await bed.readKeys();
    const verify = async (one: ReceivedMessage) => [
      await verifyRsaByOpenssl(one, bed.receiver.url(one.path), keys.public_key),
      await verifyStandardByOpenssl(one, keys.standard_webhooks_public_key),
    ];
    expect(await verify(message)).toEqual([true, true]);
    expect(await verify({ ...message, body: `${message.body} ` })).toEqual([false, false]);
  });

  it('receive a question and a stop by the user, but not a deletion', async () => {
    await using bed = await start();
    await bed.register();
    const asking = await bed.api.createTask('Write', { interactive_mode: true });
    await (await WorkerHand.take(store.database, asking)).ask('In prose?');
    const stopped = await bed.api.createTask();
    await bed.api.call('task.stop', { task_id: stopped });
    await bed.api.call('task.stop', { task_id: stopped });
    await bed.api.call('task.delete', { task_id: await bed.api.createTask() });
    const messages = await bed.receive(5);
    await bed.readDeliveries((deliveries) => deliveries.every(({ status }) => status === 'delivered'));
    const ends = messages.filter(({ event }) => event.event_type === 'task_stopped').map(detailOf);
    expect(ends).toHaveLength(2);
    expect(ends).toContainEqual(
      expect.objectContaining({ task_id: asking, stop_reason: 'ask', stopped_by: 'agent', message: 'In prose?' }),
    );
    expect(ends).toContainEqual(expect.objectContaining({ task_id: stopped, stop_reason: 'finish', stopped_by: 'user' }));
    expect(bed.receiver.eventsAt('/hook')).toHaveLength(5);
  });

  it('name the keys that verify them', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    const { body } = await bed.api.call('webhook.publicKey');
    expect(body).toMatchObject({
      public_key: someText(/^-----BEGIN PUBLIC KEY-----\n/),
      algorithm: 'RSA-SHA256',
      standard_webhooks_public_key: someText(/^whpk_/),
    });
  });

  it('that are deleted receive nothing more', async () => {
    await using bed = await start();
    const { id } = await bed.register('/deleted');
    await bed.register('/kept');
    expect((await bed.api.call('webhook.delete', { webhook_id: id })).body).toEqual({ ok: true, request_id: someRequestId });
    await bed.api.createTask();
    await bed.receive(1, '/kept');
    expect(bed.receiver.eventsAt('/deleted')).toEqual([]);
  });

  it('are signed with the new and the old keys for a week after a rotation', async () => {
    await using bed = await start();
    await bed.register();
    const old = await bed.readKeys();
    const rotated = await bed.operate('POST', 'webhook.rotateKeys');
    const published = await bed.readKeys();
    expect(published.public_key).not.toBe(old.public_key);
    expect(rotated.body).toMatchObject({
      algorithm: 'RSA-SHA256',
      public_key: published.public_key,
      previous_keys: [{ public_key: old.public_key, standard_webhooks_public_key: old.standard_webhooks_public_key }],
    });
    await bed.api.createTask();
    const [message] = await bed.receive(1);
    if (!message) throw new Error('nothing came');
    expect(await bed.verifies(message)).toBe(true);
    expect(verifyStandard(message, old.standard_webhooks_public_key)).toBe(true);
    const previous = { ...message.headers, 'x-webhook-signature': message.headers['x-webhook-signature-previous'] };
    expect(verifyRsa({ headers: previous, body: message.body }, bed.receiver.url('/hook'), old.public_key)).toBe(true);
  });

  it('have a log of requests and responses, from which deliveries can be resent', async () => {
    await using bed = await start();
    const { id } = await bed.register();
    bed.receiver.answer('/hook', (_, response) => response.writeHead(200).end(`thanks${'!'.repeat(5000)}`));
    const taskId = await bed.api.createTask();
    const [delivery] = await bed.readDeliveries(([first]) => first?.status === 'delivered', { webhook_id: id });
    expect(delivery).toEqual({
      id: someId,
      webhook_id: id,
      task_id: taskId,
      event_id: `task_created_${taskId}`,
      event_type: 'task_created',
      status: 'delivered',
      created_at: someNumber,
      next_attempt_at: null,
      attempt_count: 1,
      attempts: [{ at: someNumber, status: 200, error: null, duration_ms: someNumber, excerpt: `thanks${'!'.repeat(1018)}` }],
    });
    const deliveryId = String(delivery?.id);
    expect((await bed.operate('POST', 'webhook.resend', { delivery_id: deliveryId })).body).toMatchObject({
      ok: true,
      resent: 1,
    });
    const [first, second] = await bed.receive(2);
    expect(second?.body).toBe(first?.body);
    const shown = await bed.operate('GET', 'webhook.delivery', { delivery_id: deliveryId });
    expect((shown.body.delivery as Json).body).toBe(first?.body);
    for (const input of [{}, { delivery_id: deliveryId, webhook_id: id }, { delivery_id: 'none' }, { webhook_id: 'none' }]) {
      expect((await bed.operate('POST', 'webhook.resend', input)).status).toBeOneOf([400, 404]);
    }
  });

  it('that return 410 become inactive, and can be enabled manually', async () => {
    await using bed = await start();
    const { id } = await bed.register();
    bed.receiver.answer('/hook', 410);
    await bed.api.createTask();
    await bed.readDeliveries(([first]) => first?.status === 'failed');
    expect((await bed.api.call('webhook.list')).body.data).toMatchObject([{ id, status: 'inactive' }]);
    await bed.api.createTask();
    expect((await bed.operate('POST', 'webhook.resend', { webhook_id: id })).status).toBe(412);
    bed.receiver.answer('/hook', 200);
    expect((await bed.operate('POST', 'webhook.enable', { webhook_id: id })).body).toMatchObject({
      webhook: { status: 'active' },
    });
    expect((await bed.operate('POST', 'webhook.resend', { webhook_id: id })).body.resent).toBe(2);
    await bed.receive(3);
  });
});
