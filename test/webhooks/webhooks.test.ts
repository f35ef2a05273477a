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
    it('answers with the webhook once its address has taken a signed test message', async () => {
      await using room = await start();
      const url = room.receiver.url('/hook?team=a%20b');
      const { status, body } = await room.api.call('webhook.create', { url, events: ['ignored'] });
      expect(status).toBe(200);
      const webhook = { id: someId, url, status: 'active', created_at: someNumber };
      expect(body).toEqual({ ok: true, request_id: someRequestId, webhook });
      const [ping] = room.receiver.messages;
      expect(ping?.event).toEqual({ event_id: someText(/^ping_/), event_type: 'ping' });
      expect(ping?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': ping?.event.event_id });
      expect(ping && (await room.verifies(ping))).toBe(true);
      expect((await room.api.call('webhook.list')).body.data).toEqual([(body as Json).webhook]);
    });

    it.each<[string, Behaviour]>([
      ['another status', 404],
      ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
      ['a broken connection', (_, response) => response.destroy()],
    ])('refuses an address that answers with %s, and keeps nothing of it', async (_, behaviour) => {
      await using room = await start();
      room.receiver.answer('/hook', behaviour);
      room.receiver.answersProbes = false;
      const { status, body } = await room.api.call('webhook.create', { url: room.receiver.url('/hook') });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_argument', message: someText(/^url: /) });
      expect(room.receiver.messages).toHaveLength(1);
      expect(await store.query('SELECT id FROM webhooks')).toEqual([]);
    });

    it('refuses what is no address that events can be sent to, and says why', async () => {
      await using room = await start();
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
        const { status, body } = await room.api.call('webhook.create', { url });
        expect(status).toBe(400);
        expect(body.error).toEqual({ code: 'invalid_argument', message: someText(message) });
      }
    });

    it('takes neither http nor addresses that are not public, unless the configuration says so', async () => {
      await using strict = await start({ allow: [], acceptsHttp: false });
      const refuse = async (url: string) => (await strict.api.call('webhook.create', { url })).body.error.message;
      expect(await refuse(strict.receiver.url())).toMatch(/^url: must begin with https:\/\/, not /);
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254', '0x7f.1']) {
        expect(await refuse(`https://${host}:8443/`)).toMatch(/leads to an address that is not public/);
      }
      expect(strict.receiver.messages).toEqual([]);
    });

    it('gives an account twenty and then asks nobody any more', async () => {
      await using room = await start();
      for (let index = 0; index < 20; index += 1) await room.register();
      const { status, body } = await room.api.call('webhook.create', { url: room.receiver.url() });
      expect([status, body.error.code]).toEqual([429, 'resource_exhausted']);
      expect(room.receiver.messages).toHaveLength(20);
    });
  });

  it('belong to one account', async () => {
    await using room = await start();
    const { id } = await room.register();
    const { key } = await addOwner(store.database);
    expect((await room.api.call('webhook.list', {}, { key })).body.data).toEqual([]);
    const foreign = await room.api.call('webhook.delete', { webhook_id: id }, { key });
    const missing = await room.api.call('webhook.delete', { webhook_id: 'nothing' }, { key });
    expect([foreign.status, foreign.body.error]).toEqual([404, missing.body.error]);
    await room.api.createTask();
    await room.receive(1);
    expect((await room.api.call('webhook.list', {}, { key: null })).status).toBe(401);
  });

  it('are told of a task at its creation and at its end, each time signed anew', async () => {
    await using room = await start();
    await room.register();
    const taskId = await room.api.createTask('Write', { title: 'Poem' });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.step(1);
    await hand.finish('Here it is.');
    const messages = (await room.receive(2)).toSorted((a, b) => a.event.event_type.localeCompare(b.event.event_type));
    const [created, stopped] = messages;
    const task = { task_id: taskId, task_title: 'Poem', task_url: `http://localhost:${room.api.port}/app/${taskId}` };
    expect(created?.event).toEqual({ event_id: `task_created_${taskId}`, event_type: 'task_created', task_detail: task });
    expect(stopped?.event).toEqual({
      event_id: someText(new RegExp(`^task_stopped_${taskId}_\\d+$`)),
      event_type: 'task_stopped',
      task_detail: { ...task, message: 'Here it is.', attachments: [], stop_reason: 'finish', stopped_by: 'agent' },
    });
    for (const message of messages) {
      expect(await room.verifies(message)).toBe(true);
      expect(message.headers['webhook-id']).toBe(message.event.event_id);
      expect(await room.verifies({ ...message, body: message.body.replace('Poem', 'Poet') })).toBe(false);
      expect(await room.verifies({ ...message, path: '/elsewhere' })).toBe(false);
    }
  });

  it('are signed as a program that nobody here wrote understands it', async () => {
    await using room = await start();
    await room.register();
    await room.api.createTask();
    const [message] = await room.receive(1);
    if (!message) throw new Error('nothing was received');
    const keys = await room.readKeys();
    const judge = async (one: ReceivedMessage) => [
      await verifyRsaByOpenssl(one, room.receiver.url(one.path), keys.public_key),
      await verifyStandardByOpenssl(one, keys.standard_webhooks_public_key),
    ];
    expect(await judge(message)).toEqual([true, true]);
    expect(await judge({ ...message, body: `${message.body} ` })).toEqual([false, false]);
  });

  it('are told of a question and of a stop by the user, but not of a deletion', async () => {
    await using room = await start();
    await room.register();
    const asking = await room.api.createTask('Write', { interactive_mode: true });
    await (await WorkerHand.take(store.database, asking)).ask('In prose?');
    const stopped = await room.api.createTask();
    await room.api.call('task.stop', { task_id: stopped });
    await room.api.call('task.stop', { task_id: stopped });
    await room.api.call('task.delete', { task_id: await room.api.createTask() });
    const messages = await room.receive(5);
    await room.readDeliveries((deliveries) => deliveries.every(({ status }) => status === 'delivered'));
    const ends = messages.filter(({ event }) => event.event_type === 'task_stopped').map(detailOf);
    expect(ends).toHaveLength(2);
    expect(ends).toContainEqual(
      expect.objectContaining({ task_id: asking, stop_reason: 'ask', stopped_by: 'agent', message: 'In prose?' }),
    );
    expect(ends).toContainEqual(expect.objectContaining({ task_id: stopped, stop_reason: 'finish', stopped_by: 'user' }));
    expect(room.receiver.eventsAt('/hook')).toHaveLength(5);
  });

  it('tell the keys that verify them', async () => {
    await using room = await WebhooksUnderTest.start(store.database);
    const { body } = await room.api.call('webhook.publicKey');
    expect(body).toMatchObject({
      public_key: someText(/^-----BEGIN PUBLIC KEY-----\n/),
      algorithm: 'RSA-SHA256',
      standard_webhooks_public_key: someText(/^whpk_/),
    });
  });

  it('that are deleted hear nothing more', async () => {
    await using room = await start();
    const { id } = await room.register('/deleted');
    await room.register('/kept');
    expect((await room.api.call('webhook.delete', { webhook_id: id })).body).toEqual({ ok: true, request_id: someRequestId });
    await room.api.createTask();
    await room.receive(1, '/kept');
    expect(room.receiver.eventsAt('/deleted')).toEqual([]);
  });

  it('are signed with the new and the old keys for a week after a rotation', async () => {
    await using room = await start();
    await room.register();
    const old = await room.readKeys();
    const rotated = await room.operate('POST', 'webhook.rotateKeys');
    const published = await room.readKeys();
    expect(published.public_key).not.toBe(old.public_key);
    expect(rotated.body).toMatchObject({
      algorithm: 'RSA-SHA256',
      public_key: published.public_key,
      previous_keys: [{ public_key: old.public_key, standard_webhooks_public_key: old.standard_webhooks_public_key }],
    });
    await room.api.createTask();
    const [message] = await room.receive(1);
    if (!message) throw new Error('nothing came');
    expect(await room.verifies(message)).toBe(true);
    expect(verifyStandard(message, old.standard_webhooks_public_key)).toBe(true);
    const previous = { ...message.headers, 'x-webhook-signature': message.headers['x-webhook-signature-previous'] };
    expect(verifyRsa({ headers: previous, body: message.body }, room.receiver.url('/hook'), old.public_key)).toBe(true);
  });

  it('have a log that tells what was sent and answered, and what can be sent again', async () => {
    await using room = await start();
    const { id } = await room.register();
    room.receiver.answer('/hook', (_, response) => response.writeHead(200).end(`thanks${'!'.repeat(5000)}`));
    const taskId = await room.api.createTask();
    const [delivery] = await room.readDeliveries(([first]) => first?.status === 'delivered', { webhook_id: id });
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
    expect((await room.operate('POST', 'webhook.resend', { delivery_id: deliveryId })).body).toMatchObject({
      ok: true,
      resent: 1,
    });
    const [first, second] = await room.receive(2);
    expect(second?.body).toBe(first?.body);
    const shown = await room.operate('GET', 'webhook.delivery', { delivery_id: deliveryId });
    expect((shown.body.delivery as Json).body).toBe(first?.body);
    for (const input of [{}, { delivery_id: deliveryId, webhook_id: id }, { delivery_id: 'none' }, { webhook_id: 'none' }]) {
      expect((await room.operate('POST', 'webhook.resend', input)).status).toBeOneOf([400, 404]);
    }
  });

  it('that answer 410 become inactive, and are enabled again by hand', async () => {
    await using room = await start();
    const { id } = await room.register();
    room.receiver.answer('/hook', 410);
    await room.api.createTask();
    await room.readDeliveries(([first]) => first?.status === 'failed');
    expect((await room.api.call('webhook.list')).body.data).toMatchObject([{ id, status: 'inactive' }]);
    await room.api.createTask();
    expect((await room.operate('POST', 'webhook.resend', { webhook_id: id })).status).toBe(412);
    room.receiver.answer('/hook', 200);
    expect((await room.operate('POST', 'webhook.enable', { webhook_id: id })).body).toMatchObject({
      webhook: { status: 'active' },
    });
    expect((await room.operate('POST', 'webhook.resend', { webhook_id: id })).body.resent).toBe(2);
    await room.receive(3);
  });
});
