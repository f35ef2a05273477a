import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner } from '../support/http/api-under-test.ts';
import { someId, someNumber, someRequestId, someText } from '../support/http/matchers.ts';
import type { ReceivedMessage } from '../support/webhooks/receiver.ts';
import { WebhooksUnderTest } from './webhooks-under-test.ts';

/** What the published library reads of a message; throws unless the secret verifies it. */
function readSigned(secret: string, { body, headers }: Pick<ReceivedMessage, 'body' | 'headers'>): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describeStores('a sample event', (store) => {
  const start = () => WebhooksUnderTest.start(store.database);

  it('reaches every webhook of the account, signed with its secret and the keys, and its answer is reported', async () => {
    await using bed = await start();
    const { body } = await bed.api.call('webhook.create', { url: bed.receiver.url('/hook') });
    const { id, secret } = body.webhook as { id: string; secret: string };
    const other = await bed.register('/other');
    bed.receiver.answer('/other', 503);
    const answer = await bed.api.call('webhook.trigger', { event: 'task_stopped' });
    const answered = { error: null, duration_ms: someNumber };
    expect(answer.body).toEqual({
      ok: true,
      request_id: someRequestId,
      data: [
        { webhook_id: id, url: bed.receiver.url('/hook'), status: 204, ...answered },
        { webhook_id: other.id, url: other.url, status: 503, ...answered },
      ],
    });
    const [message] = bed.receiver.eventsAt('/hook');
    expect(message?.event).toMatchObject({
      event_id: someText(/^task_stopped_[0-9A-Za-z]{22}_1$/),
      task_detail: { task_id: someId, stop_reason: 'finish' },
    });
    expect(message && readSigned(secret, message)).toEqual(message?.event);
    expect(message && (await bed.verifies(message))).toBe(true);
    expect(bed.receiver.eventsAt('/other').map(({ body: sent }) => sent)).toEqual([message?.body]);
  });

  it('is neither recorded nor repeated', async () => {
    await using bed = await start();
    await bed.register();
    bed.receiver.answer('/hook', 500);
    await bed.api.call('webhook.trigger', { event: 'task_created' });
    expect(await store.query('SELECT id FROM deliveries')).toEqual([]);
  });

  it('goes only to the URL that is named, with its secret if it is registered, even while its webhook is inactive', async () => {
    await using bed = await start();
    const { body } = await bed.api.call('webhook.create', { url: bed.receiver.url('/hook') });
    const { id, secret } = body.webhook as { id: string; secret: string };
    await store.query("UPDATE webhooks SET status = 'inactive' RETURNING id");
    const named = await bed.api.call('webhook.trigger', { event: 'task_created', url: bed.receiver.url('/hook') });
    expect(named.body.data).toMatchObject([{ webhook_id: id, status: 204 }]);
    const [message] = bed.receiver.eventsAt('/hook');
    expect(message && readSigned(secret, message)).toEqual(message?.event);
    const fresh = await bed.api.call('webhook.trigger', { event: 'task_progress', url: bed.receiver.url('/new') });
    expect(fresh.body.data).toMatchObject([{ webhook_id: null, status: 204 }]);
    const [unregistered] = bed.receiver.eventsAt('/new');
    expect(unregistered?.headers['webhook-signature']).toMatch(/^v1a,\S+$/);
    expect(unregistered && (await bed.verifies(unregistered))).toBe(true);
    expect(bed.receiver.eventsAt('/hook')).toHaveLength(1);
  });

  it('says why a receiver did not answer, and reaches no address that webhooks may not', async () => {
    await using bed = await WebhooksUnderTest.start(store.database, { allow: [] });
    const refused = await bed.api.call('webhook.trigger', { event: 'ping', url: bed.receiver.url('/hook') });
    expect(refused.body.data).toMatchObject([{ status: null, error: someText(/./) }]);
    expect(bed.receiver.messages).toEqual([]);
  });

  it('is refused without a webhook or URL, for an unknown event, and for a URL with a fragment', async () => {
    await using bed = await start();
    const { key } = await addOwner(store.database);
    await bed.register();
    const refusals = [
      await bed.api.call('webhook.trigger', { event: 'task_stopped' }, { key }),
      await bed.api.call('webhook.trigger', { event: 'task_exploded' }),
      await bed.api.call('webhook.trigger', { event: 'ping', url: bed.receiver.url('/hook#part') }),
    ];
    expect(refusals.map(({ status, body }) => [status, (body.error as { message: string }).message])).toEqual([
      [412, someText(/no webhook/)],
      [400, someText(/^event: /)],
      [400, someText(/^url: must not contain a fragment/)],
    ]);
    expect(bed.receiver.eventsAt('/hook')).toEqual([]);
  });
});
