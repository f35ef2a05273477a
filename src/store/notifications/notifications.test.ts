import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { addSession } from '../../../test/support/accounts/web-session.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { usualSettings } from '../../rules/notifications/notification-settings.ts';
import { claimNotices, endNotice } from './notification-claims.ts';
import { getDigestContent, getNoticeContent } from './notification-content.ts';
import { queueTest } from './notification-queue.ts';
import { getNotificationSettings, saveNotificationSettings } from './notification-settings.ts';
import {
  countSubscriptions,
  endSubscription,
  findSubscription,
  subscribeBrowser,
  unsubscribeBrowser,
} from './push-subscriptions.ts';

describeStores('notifications', (store) => {
  async function subscribe() {
    const accountId = await addAccount(store.database);
    await addSession(store.database, accountId);
    const [session] = await store.query('SELECT id FROM sessions WHERE account_id = ?', accountId);
    const now = Date.now();
    const [id, sessionId] = [newId(now), String(session?.id)];
    const args = { accountId, sessionId, id, endpointDigest: `digest of ${id}`, target: 'sealed', now };
    await store.database.run(subscribeBrowser, args);
    return { accountId, sessionId, id, now };
  }

  it('reach a browser until it unsubscribes, or its push service ends that', async () => {
    const { accountId, sessionId, id, now } = await subscribe();
    expect(await store.database.run(findSubscription, { accountId, id, now })).toEqual({ target: 'sealed' });
    expect(await store.database.run(countSubscriptions, { accountId, sessionId, now })).toEqual({ count: 1, isHere: true });
    expect(await store.database.run(unsubscribeBrowser, { accountId, sessionId })).toBe(true);
    expect(await store.database.run(findSubscription, { accountId, id, now })).toBeNull();
    const another = await subscribe();
    await store.database.run(endSubscription, another);
    expect(await store.database.run(countSubscriptions, another)).toEqual({ count: 0, isHere: false });
  });

  it('are taken once for each target, and end with an outcome of who took them', async () => {
    const { accountId, now } = await subscribe();
    await store.database.run(queueTest, { accountId, now: now - 10_000 });
    const claim = async () => {
      const { notices } = await store.database.run(claimNotices, { slots: 9, leaseMs: 60_000, hasMail: false, platforms: [] });
      return notices.filter((notice) => notice.accountId === accountId);
    };
    // The first claim may only find where it is to be sent.
    const taken = [...(await claim()), ...(await claim())];
    expect(taken).toHaveLength(1);
    expect(await claim()).toEqual([]);
    const [notice] = taken;
    if (!notice) throw new Error('nothing was taken');
    const count = async () => (await store.query('SELECT id FROM notifications WHERE account_id = ?', accountId)).length;
    const outcome = { accountId, id: notice.id, retryInMs: null };
    await store.database.run(endNotice, { ...outcome, fence: notice.fence - 1 });
    expect(await count()).toBe(1);
    await store.database.run(endNotice, { ...outcome, fence: notice.fence });
    expect(await count()).toBe(0);
  });

  it('follow what a person has chosen, and tell of nothing where there is nothing', async () => {
    const { accountId } = await subscribe();
    expect(await store.database.run(getNotificationSettings, { accountId })).toEqual(usualSettings);
    const changed = await store.database.run(saveNotificationSettings, {
      accountId,
      change: { timeZone: 'Europe/Berlin' },
    });
    expect(changed).toEqual({ ...usualSettings, timeZone: 'Europe/Berlin' });
    expect(await store.database.run(getNotificationSettings, { accountId })).toEqual(changed);
    const none = { taskAccountId: accountId, taskId: '', seq: 0 };
    expect(await store.database.run(getNoticeContent, { accountId, ...none })).toMatchObject({ taskTitle: '', text: '' });
    const digest = await store.database.run(getDigestContent, { accountId, sinceMs: 0 });
    expect([digest.finished, digest.failed, digest.waiting]).toEqual([[], [], []]);
  });
});
