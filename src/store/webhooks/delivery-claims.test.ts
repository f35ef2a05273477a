import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId } from '../../../test/support/db/store-samples.ts';
import { addWebhook, claimSome, createReported, listAll, record } from '../../../test/support/webhooks/webhook-samples.ts';
import type { ClaimedDelivery } from './delivery-claims.ts';
import { expireDeliveryLeases } from './delivery-outcomes.ts';
import { deleteExpiredDeliveries, resendDelivery, resendMissed } from './delivery-log.ts';
import { deleteWebhook, enableWebhook, listWebhooks } from './webhooks.ts';

const hour = 3_600_000;
const day = 24 * hour;

function countByWebhook(deliveries: readonly ClaimedDelivery[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(deliveries, ({ webhookId }) => webhookId));
  return Object.fromEntries(groups.map(([webhookId, group]) => [webhookId, group?.length ?? 0]));
}

describeStores('the queue of deliveries', (store) => {
  const addBusy = async (count: number) => {
    const accountId = newAccountId();
    const webhook = await addWebhook(store.database, accountId);
    await createReported(store.database, accountId, count);
    return { accountId, webhookId: webhook.id, url: webhook.url };
  };
  /** That many additional copies of each delivery. */
  const copyDeliveries = (count: number) => {
    const columns = `webhook_id, task_id, event_id, event_type, body, status, ready_at, lease_owner, fence, attempts, tries, log,
      created_at, ended_at`;
    return store.query(
      `INSERT INTO deliveries (account_id, id, ${columns}) SELECT account_id, id || i, ${columns} FROM deliveries,
         (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n) AS copies`,
    );
  };
  const statusOf = async (accountId: string) => (await store.database.run(listWebhooks, accountId)).map(({ status }) => status);

  it('gives each delivery to one worker, with what is needed to send it', async () => {
    const { accountId, webhookId, url } = await addBusy(20);
    const claims = await Promise.all(
      store.others.map((database, index) => claimSome(database, { workerId: `w${index}`, slots: 15 })),
    );
    const deliveries = claims.flatMap((claim) => claim.deliveries);
    expect(deliveries).toHaveLength(20);
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(20);
    for (const delivery of deliveries) expect(delivery).toMatchObject({ accountId, webhookId, url, tries: 0, log: [] });
    expect((await claimSome(store.database)).deliveries).toEqual([]);
  });

  it('shares its slots among webhooks, and gives each no more than its limit', async () => {
    const busy = await Promise.all([30, 30, 1].map((count) => addBusy(count)));
    const [a = '', b = '', c = ''] = busy.map(({ webhookId }) => webhookId);
    const fair = await claimSome(store.database, { slots: 11 });
    expect(countByWebhook(fair.deliveries)).toEqual({
      [a]: expect.any(Number) as unknown,
      [b]: expect.any(Number) as unknown,
      [c]: 1,
    });
    expect(Math.abs((countByWebhook(fair.deliveries)[a] ?? 0) - (countByWebhook(fair.deliveries)[b] ?? 0))).toBeLessThanOrEqual(
      1,
    );
    const limited = await claimSome(store.database, {
      queues: [
        [a, 5, 5],
        [b, 3, 5],
      ],
      usualLimit: 4,
    });
    expect(countByWebhook(limited.deliveries)).toEqual({ [b]: 2 });
    expect(limited.heldBack.toSorted()).toEqual([a, b].toSorted());
  });

  it('reports whether more can be claimed at once, and when the next one is due', async () => {
    const { webhookId } = await addBusy(6);
    const other = await addBusy(1);
    const first = await claimSome(store.database, { slots: 4 });
    expect(first).toMatchObject({ hasMore: true, heldBack: [webhookId] });
    const rest = await claimSome(store.database);
    expect(rest).toMatchObject({ hasMore: false, heldBack: [] });
    const mine = first.deliveries.filter((delivery) => delivery.webhookId === webhookId);
    await record(store.database, mine.slice(0, 1), { verdict: 'failed', retryInMs: 5000 });
    await record(
      store.database,
      [...first.deliveries, ...rest.deliveries].filter((one) => one.webhookId === other.webhookId),
    );
    const { nextInMs } = await claimSome(store.database);
    expect(nextInMs).toBeGreaterThan(1000);
    expect(nextInMs).toBeLessThanOrEqual(5000);
    await record(store.database, [...mine.slice(1), ...rest.deliveries]);
    await store.query('UPDATE deliveries SET ready_at = NULL');
    expect((await claimSome(store.database)).nextInMs).toBeNull();
  });

  it('claims the oldest first', async () => {
    const { accountId } = await addBusy(5);
    const ids = (await listAll(store.database, accountId)).map(({ id }) => id);
    for (const [index, id] of ids.entries())
      await store.query('UPDATE deliveries SET ready_at = ? WHERE id = ? RETURNING id', index + 1, id);
    const { deliveries } = await claimSome(store.database, { slots: 2 });
    expect(deliveries.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  it('drops outcomes that are recorded twice, or after the claim expired', async () => {
    const { accountId } = await addBusy(1);
    const [late] = (await claimSome(store.database, { leaseMs: 0 })).deliveries;
    const [next] = (await claimSome(store.database)).deliveries;
    if (!late || !next) throw new Error('both claims should have found it');
    expect(next).toMatchObject({ id: late.id, fence: late.fence + 1 });
    await record(store.database, [late]);
    expect(await listAll(store.database, accountId)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await record(store.database, [next], { verdict: 'failed', retryInMs: hour });
    await record(store.database, [next]);
    expect(await listAll(store.database, accountId)).toMatchObject([{ status: 'pending', attempts: 1 }]);
  });

  it('is free again after a restart of the only process, or when a worker releases it', async () => {
    const { accountId } = await addBusy(2);
    const [first] = (await claimSome(store.database, { slots: 1 })).deliveries;
    await store.database.run(expireDeliveryLeases, null);
    const again = (await claimSome(store.database)).deliveries;
    expect(again.map(({ id }) => id)).toContain(first?.id);
    await record(store.database, again, { verdict: 'cut' });
    expect((await claimSome(store.database)).deliveries).toHaveLength(2);
    expect(await listAll(store.database, accountId)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  });

  it('is not sent to a deleted webhook', async () => {
    const [deleted, kept] = [await addBusy(3), await addBusy(1)];
    await store.query('UPDATE deliveries SET ready_at = ready_at + ? WHERE account_id = ? RETURNING id', day, deleted.accountId);
    await store.database.run(deleteWebhook, deleted);
    expect(countByWebhook((await claimSome(store.database)).deliveries)).toEqual({ [kept.webhookId]: 1 });
    expect(await listAll(store.database, deleted.accountId)).toEqual([]);
    expect(await statusOf(deleted.accountId)).toEqual([]);
  });

  it('disables a webhook that answers 410, and skips its deliveries until they are resent', async () => {
    const busy = await addBusy(3);
    const { deliveries } = await claimSome(store.database, { slots: 1 });
    expect(await record(store.database, deliveries, { verdict: 'gone' })).toEqual([busy.webhookId]);
    expect(await statusOf(busy.accountId)).toEqual(['inactive']);
    expect((await claimSome(store.database)).deliveries).toEqual([]);
    expect((await listAll(store.database, busy.accountId)).map(({ status }) => status).toSorted()).toEqual([
      'failed',
      'skipped',
      'skipped',
    ]);
    const missed = { ...busy, limit: 2 };
    await expect(store.database.run(resendMissed, missed)).rejects.toMatchObject({ code: 'failed_precondition' });
    await store.database.run(enableWebhook, busy);
    expect(await store.database.run(resendMissed, missed)).toBe(2);
    expect(await store.database.run(resendMissed, missed)).toBe(1);
    expect(await store.database.run(resendMissed, missed)).toBe(0);
    expect((await claimSome(store.database)).deliveries).toHaveLength(3);
  });

  it('is deleted with its webhook in batches, so that no single statement takes long', async () => {
    const { accountId, webhookId } = await addBusy(1);
    await copyDeliveries(1029);
    await store.database.run(deleteWebhook, { accountId, webhookId });
    const left = async () => (await store.query('SELECT id FROM deliveries WHERE account_id = ?', accountId)).length;
    expect(await claimSome(store.database)).toMatchObject({ deliveries: [], hasMore: true });
    expect(await left()).toBe(6);
    expect(await claimSome(store.database)).toMatchObject({ deliveries: [], hasMore: false });
    expect(await left()).toBe(0);
  });

  it('skips at most 1,024 deliveries at once, and reports that there are more', async () => {
    const { accountId } = await addBusy(1);
    await copyDeliveries(1029);
    await store.query("UPDATE webhooks SET status = 'inactive'");
    const countSkipped = async () => (await listAll(store.database, accountId, { status: 'skipped', limit: 2000 })).length;
    expect(await claimSome(store.database)).toMatchObject({ deliveries: [], hasMore: true });
    expect(await countSkipped()).toBe(1024);
    expect(await claimSome(store.database)).toMatchObject({ deliveries: [], hasMore: false });
    expect(await countSkipped()).toBe(1030);
  });

  it('disables a webhook that has failed continuously for five days, and no other', async () => {
    const busy = await addBusy(2);
    const failOnce = async () => {
      await store.query('UPDATE deliveries SET ready_at = 1 RETURNING id');
      const { deliveries } = await claimSome(store.database);
      return record(store.database, deliveries, { verdict: 'failed', retryInMs: 0 });
    };
    const passDays = (days: number) =>
      store.query('UPDATE webhooks SET failing_since = failing_since - ? RETURNING id', Math.round(days * day));
    expect(await failOnce()).toEqual([]);
    await passDays(4.9);
    expect(await failOnce()).toEqual([]);
    await record(store.database, (await claimSome(store.database)).deliveries.slice(0, 1));
    expect(await store.query('SELECT failing_since FROM webhooks')).toEqual([{ failing_since: null }]);
    expect(await failOnce()).toEqual([]);
    await passDays(5);
    expect(await statusOf(busy.accountId)).toEqual(['active']);
    expect(await failOnce()).toEqual([busy.webhookId]);
    expect(await statusOf(busy.accountId)).toEqual(['inactive']);
  });

  it('judges a webhook by the order in which its attempts ended', async () => {
    const { accountId } = await addBusy(4);
    const { deliveries } = await claimSome(store.database);
    await record(store.database, deliveries.slice(0, 2), { verdict: 'failed', retryInMs: hour });
    expect(await store.database.run(listWebhooks, accountId)).toMatchObject([{ failingSinceMs: expect.any(Number) as unknown }]);
    await record(store.database, deliveries.slice(2));
    expect(await store.database.run(listWebhooks, accountId)).toMatchObject([{ failingSinceMs: null }]);
  });

  it('resends one delivery on request, whatever its status', async () => {
    const { accountId } = await addBusy(1);
    const [delivery] = (await claimSome(store.database)).deliveries;
    if (!delivery) throw new Error('nothing was due');
    const resend = () => store.database.run(resendDelivery, { accountId, deliveryId: delivery.id });
    await resend();
    expect((await claimSome(store.database)).deliveries).toEqual([]);
    await record(store.database, [delivery]);
    expect(await listAll(store.database, accountId)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    await resend();
    const [again] = (await claimSome(store.database)).deliveries;
    expect(again).toMatchObject({ id: delivery.id, body: delivery.body, eventId: delivery.eventId, tries: 0 });
    expect(again?.log).toHaveLength(1);
    const foreign = { accountId: newAccountId(), deliveryId: delivery.id };
    await expect(store.database.run(resendDelivery, foreign)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('deletes what ended two weeks ago, in batches', async () => {
    const { accountId } = await addBusy(5);
    const { deliveries } = await claimSome(store.database, { slots: 4 });
    await record(store.database, deliveries);
    expect(await store.database.run(deleteExpiredDeliveries, { limit: 3 })).toBe(0);
    await store.query('UPDATE deliveries SET ended_at = ended_at - ? RETURNING id', 14 * day);
    expect(await store.database.run(deleteExpiredDeliveries, { limit: 3 })).toBe(3);
    expect(await store.database.run(deleteExpiredDeliveries, { limit: 3 })).toBe(1);
    expect(await listAll(store.database, accountId)).toMatchObject([{ status: 'pending' }]);
  });

  it('deletes what was sent of a task that has been deleted meanwhile', async () => {
    const { accountId } = await addBusy(2);
    const { deliveries } = await claimSome(store.database);
    await store.query('DELETE FROM tasks');
    await record(store.database, deliveries.slice(0, 1));
    await record(store.database, deliveries.slice(1), { verdict: 'failed', retryInMs: hour });
    expect(await listAll(store.database, accountId)).toMatchObject([{ status: 'pending' }]);
  });

  it('considers every queue, however many there are', async () => {
    const accountIds = Array.from({ length: 14 }, () => newAccountId());
    for (const accountId of accountIds) {
      await Promise.all(Array.from({ length: 20 }, () => addWebhook(store.database, accountId)));
      await createReported(store.database, accountId);
    }
    const taken: ClaimedDelivery[] = [];
    let afterWebhook = '';
    do {
      const claim = await claimSome(store.database, { slots: 1000, afterWebhook });
      taken.push(...claim.deliveries);
      afterWebhook = claim.afterWebhook;
      expect(claim.hasMore).toBe(afterWebhook !== '');
    } while (afterWebhook !== '');
    expect(taken).toHaveLength(280);
  });
});
