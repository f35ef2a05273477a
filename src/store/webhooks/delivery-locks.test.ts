import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, openStore } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { addWebhook, claimSome, createReported, listAll, record } from '../../../test/support/webhooks/webhook-samples.ts';
import { createAccount } from '../accounts/accounts.ts';
import { deleteWebhook, listWebhooks, maxWebhooks } from './webhooks.ts';

/** Row locks, which SQLite does not have. Here `query` is another process in mid-transaction. */
describe('on PostgreSQL', () => {
  let store: OpenStore;
  beforeAll(async () => {
    store = await openStore('postgres');
  });
  afterEach(() => store.query('ROLLBACK'));
  afterAll(() => store.close());

  async function waitForWaiter(): Promise<void> {
    const text = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while ((await store.query(text)).length !== 1) await store.query('SELECT pg_stat_clear_snapshot()');
  }

  async function addBusy(count: number) {
    const accountId = newAccountId();
    const { id: webhookId } = await addWebhook(store.database, accountId);
    await createReported(store.database, accountId, count);
    const { deliveries } = await claimSome(store.database);
    return { accountId, webhookId, deliveries: deliveries.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  }

  it('outcomes lock their deliveries in id order', async () => {
    const { accountId, deliveries } = await addBusy(5);
    await store.query('BEGIN');
    await store.query('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', deliveries[0]?.id ?? '');
    const recording = record(store.database, deliveries.toReversed());
    await waitForWaiter();
    await store.query('SELECT id FROM deliveries WHERE account_id = ? FOR UPDATE NOWAIT', accountId);
    await store.query('COMMIT');
    expect(await recording).toEqual([]);
    expect((await listAll(store.database, accountId)).map(({ status }) => status)).toEqual(Array(5).fill('delivered'));
  });

  it('outcomes and the deletion of their webhook in another process never fail each other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { accountId, webhookId, deliveries } = await addBusy(20);
      const [one = store.database, two = store.database] = store.others;
      const deleting = two.run(deleteWebhook, { accountId, webhookId });
      const recording = deliveries.map((delivery) => record(one, [delivery], { verdict: 'failed', retryInMs: 1 }));
      await Promise.all([...recording, deleting]);
      await claimSome(store.database);
      expect(await listAll(store.database, accountId)).toEqual([]);
    }
  });

  it('registering a webhook waits for a concurrent registration, and is rejected if that reached the limit', async () => {
    const accountId = newAccountId();
    const account = { accountId, email: `${accountId}@example.com`, plan: 'free', locale: 'en', createdAtMs: nextMs() } as const;
    await store.database.run(createAccount, account);
    for (let count = 1; count < maxWebhooks; count += 1) await addWebhook(store.database, accountId);
    await store.query('BEGIN');
    await store.query('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    await store.query(
      "INSERT INTO webhooks (account_id, id, url, face, status, created_at) VALUES (?, 'last', 'https://x.example', 'v2', 'active', 1)",
      accountId,
    );
    const refused = expect(addWebhook(store.database, accountId)).rejects.toMatchObject({ code: 'resource_exhausted' });
    await Promise.race([waitForWaiter(), refused]);
    await store.query('COMMIT');
    await refused;
    expect(await store.database.run(listWebhooks, accountId)).toHaveLength(maxWebhooks);
  });
});
