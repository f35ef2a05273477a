import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, type Json } from '../support/http/api-under-test.ts';
import { someText } from '../support/http/matchers.ts';
import type { ReceivedMessage } from '../support/webhooks/receiver.ts';
import { WebhooksUnderTest } from './webhooks-under-test.ts';

const someSecret = someText(/^whsec_[A-Za-z0-9+/]{43}=$/);

/** Whether the published libraries accept a message with a secret, each as its readme says. */
function accepts(secret: string, { headers, body }: Pick<ReceivedMessage, 'headers' | 'body'>): boolean[] {
  return [new StandardWebhook(secret), new SvixWebhook(secret)].map((library) => {
    try {
      library.verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}

describeStores('the secret of a webhook', (store) => {
  const start = () => WebhooksUnderTest.start(store.database);

  async function create(bed: WebhooksUnderTest, options: Parameters<typeof bed.api.call>[2] = {}) {
    const { body } = await bed.api.call('webhook.create', { url: bed.receiver.url('/hook') }, options);
    return body.webhook as { id: string; secret: string };
  }

  async function rotate(bed: WebhooksUnderTest, id: string): Promise<string> {
    const { status, body } = await bed.api.call('webhook.rotateSecret', { webhook_id: id });
    expect([status, body.webhook]).toEqual([200, expect.objectContaining({ id, secret: someSecret })]);
    return (body.webhook as Json).secret as string;
  }

  async function deliver(bed: WebhooksUnderTest): Promise<ReceivedMessage> {
    const count = bed.receiver.eventsAt('/hook').length + 1;
    await bed.api.createTask();
    const message = (await bed.receive(count)).at(-1);
    if (!message) throw new Error('nothing was received');
    return message;
  }

  it('verifies the test message and every delivery with the published libraries, and nothing that was changed', async () => {
    await using bed = await start();
    const { secret } = await create(bed);
    expect(secret).toEqual(someSecret);
    const [ping] = bed.receiver.messages;
    expect(ping && accepts(secret, ping)).toEqual([true, true]);
    const message = await deliver(bed);
    expect(message.headers['webhook-signature']).toMatch(/^v1a,\S+ v1,\S+$/);
    expect(accepts(secret, message)).toEqual([true, true]);
    expect(accepts(secret, { ...message, body: `${message.body} ` })).toEqual([false, false]);
    expect(accepts(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, message)).toEqual([false, false]);
    expect(await bed.verifies(message)).toBe(true);
  });

  it('is shown when it is created and never again, differs between webhooks, and is stored encrypted', async () => {
    await using bed = await start();
    const [one, two] = [await create(bed), await create(bed)];
    expect(one.secret).not.toBe(two.secret);
    expect(JSON.stringify((await bed.api.call('webhook.list')).body)).not.toContain('whsec_');
    const rows = JSON.stringify(await store.query('SELECT * FROM webhooks'));
    expect(rows).toContain(one.id);
    for (const { secret } of [one, two]) expect(rows).not.toContain(secret.slice('whsec_'.length));
    expect(rows).not.toContain('whsec_');
  });

  it('is the same when a creation is repeated with its idempotency key', async () => {
    await using bed = await start();
    const options = { headers: { 'idempotency-key': 'once' } };
    const [first, again] = [await create(bed, options), await create(bed, options)];
    expect(again).toEqual(first);
    expect(accepts(first.secret, await deliver(bed))).toEqual([true, true]);
    expect(JSON.stringify(await store.query('SELECT * FROM idempotency_keys'))).not.toContain('whsec_');
  });

  describe('after a rotation', () => {
    it('stays valid for a week beside the new one, and no longer', async () => {
      await using bed = await start();
      const { id, secret: old } = await create(bed);
      const fresh = await rotate(bed, id);
      expect(fresh).not.toBe(old);
      const during = await deliver(bed);
      expect([accepts(fresh, during), accepts(old, during)].flat()).toEqual([true, true, true, true]);
      await store.query('UPDATE webhooks SET previous_secret_until = previous_secret_until - ? RETURNING id', 7 * 86_400_000);
      const after = await deliver(bed);
      expect([accepts(fresh, after), accepts(old, after)].flat()).toEqual([true, true, false, false]);
    });

    it('is invalid at once when it is rotated again', async () => {
      await using bed = await start();
      const { id, secret: old } = await create(bed);
      const [second, third] = [await rotate(bed, id), await rotate(bed, id)];
      const message = await deliver(bed);
      expect([third, second, old].map((secret) => accepts(secret, message)[0])).toEqual([true, true, false]);
    });
  });

  it('is given by a rotation to a webhook that has none, from an earlier version or v1', async () => {
    await using bed = await start();
    const { id } = await create(bed);
    await store.query('UPDATE webhooks SET secret = NULL RETURNING id');
    const message = await deliver(bed);
    expect(message.headers['webhook-signature']).toMatch(/^v1a,\S+$/);
    expect(await bed.verifies(message)).toBe(true);
    const secret = await rotate(bed, id);
    expect(accepts(secret, await deliver(bed))).toEqual([true, true]);
  });

  it('is rotated by nobody but the owner of the webhook', async () => {
    await using bed = await start();
    const { id, secret } = await create(bed);
    const { key } = await addOwner(store.database);
    const foreign = await bed.api.call('webhook.rotateSecret', { webhook_id: id }, { key });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
    expect(accepts(secret, await deliver(bed))).toEqual([true, true]);
  });
});
