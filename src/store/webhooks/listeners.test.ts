import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId } from '../../../test/support/db/store-samples.ts';
import { createReported, listAll } from '../../../test/support/webhooks/webhook-samples.ts';
import { createListener, deleteExpiredListeners, listenerTtlMs, listKept, markPulled, markReceived } from './listeners.ts';

describeStores('listeners', (store) => {
  async function listen(accountId: string) {
    const webhookId = newId(1);
    const listener = { accountId, webhookId, url: 'http://localhost/', sealedSecret: 'sealed' };
    await store.database.run(createListener, listener);
    return { accountId, webhookId };
  }

  it('keep what happens until it was received, each its own', async () => {
    const accountId = newAccountId();
    const [one, other] = [await listen(accountId), await listen(accountId)];
    await createReported(store.database, accountId, 3);
    const kept = await store.database.run(listKept, { ...one, limit: 10 });
    expect(kept).toMatchObject({ url: 'http://localhost/', sealedSecrets: ['sealed'] });
    expect(kept.events.map(({ eventType }) => eventType)).toEqual(['task_created', 'task_created', 'task_created']);
    const deliveryIds = kept.events.map(({ id }) => id);
    await store.database.run(markReceived, { ...one, deliveryIds });
    await store.database.run(markReceived, { ...other, deliveryIds });
    expect((await store.database.run(listKept, { ...one, limit: 10 })).events).toEqual([]);
    expect((await store.database.run(listKept, { ...other, limit: 2 })).events).toHaveLength(2);
    expect((await listAll(store.database, accountId, { status: 'delivered' })).map(({ id }) => id).toSorted()).toEqual(
      deliveryIds.toSorted(),
    );
  });

  it('of other accounts are neither read nor marked', async () => {
    const [mine, accountId] = [newAccountId(), newAccountId()];
    const { webhookId } = await listen(accountId);
    await createReported(store.database, accountId);
    const { events } = await store.database.run(listKept, { accountId, webhookId, limit: 10 });
    const deliveryIds = events.map(({ id }) => id);
    await store.database.run(markReceived, { accountId: mine, webhookId, deliveryIds });
    const foreign = store.database.run(listKept, { accountId: mine, webhookId, limit: 10 });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    expect((await store.database.run(listKept, { accountId, webhookId, limit: 10 })).events).toEqual(events);
  });

  it('are noted as asked at most once a minute', async () => {
    const key = await listen(newAccountId());
    const isUnnoted = async () => (await store.database.run(listKept, { ...key, limit: 1 })).isUnnoted;
    expect(await isUnnoted()).toBe(false);
    await store.query('UPDATE webhooks SET pulled_at = pulled_at - 60000 WHERE id = ? RETURNING id', key.webhookId);
    expect(await isUnnoted()).toBe(true);
    await store.database.run(markPulled, key);
    expect(await isUnnoted()).toBe(false);
  });

  it('end after a day', async () => {
    const key = await listen(newAccountId());
    await store.database.run(deleteExpiredListeners, { limit: 100 });
    expect((await store.database.run(listKept, { ...key, limit: 1 })).events).toEqual([]);
    await store.query('UPDATE webhooks SET created_at = created_at - ? WHERE id = ? RETURNING id', listenerTtlMs, key.webhookId);
    await expect(store.database.run(listKept, { ...key, limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.database.run(deleteExpiredListeners, { limit: 100 })).toBe(1);
  });
});
