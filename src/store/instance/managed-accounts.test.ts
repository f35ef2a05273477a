import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { claim, createTasks, nextMs } from '../../../test/support/db/store-samples.ts';
import { addOwner } from '../../../test/support/http/api-under-test.ts';
import { addWebhook, claimSome, createReported } from '../../../test/support/webhooks/webhook-samples.ts';
import { listInstanceTasks } from '../tasks/instance-tasks.ts';
import { findAccountOfKey, findKeyOwner } from '../accounts/api-keys.ts';
import {
  countAccountTasks,
  createManagedAccount,
  findManagedAccount,
  findTasksOfDisabled,
  listManagedAccounts,
  updateManagedAccount,
} from './managed-accounts.ts';

const unchanged = { plan: undefined, status: undefined, isInstanceOwner: undefined };

describeStores('an account that is managed', (store) => {
  const setStatus = (accountId: string, status: 'active' | 'disabled') =>
    store.database.run(updateManagedAccount, { ...unchanged, accountId, status, actor: 'operator', now: nextMs() });

  it('has its key and quotas from the first moment, and one address has one account', async () => {
    const now = nextMs();
    const create = (email: string) =>
      store.database.run(createManagedAccount, {
        account: { accountId: newId(now), email, plan: 'free', locale: 'en', createdAtMs: now },
        key: { keyId: newId(now), name: 'k', digest: newId(now), tail: 'tail' },
        quotas: { maxBytes: 5, maxFiles: null, maxRunningTasks: 3, weight: 2, retentionDays: null },
        actor: 'operator',
        sealedKey: 'sealed',
      });
    const { account } = await create('ann@example.com');
    expect(await store.database.run(findManagedAccount, 'Ann@example.com')).toEqual(account);
    expect(account).toMatchObject({
      maxBytes: 5,
      maxFiles: null,
      maxRunningTasks: 3,
      weight: 2,
      retentionDays: null,
      status: 'active',
    });
    await expect(create('ann@example.com')).rejects.toMatchObject({ code: 'conflict', param: 'email' });
    expect(await store.database.run(listManagedAccounts, { status: 'active', query: null, afterId: '', limit: 9 })).toEqual([
      { ...account, used: { bytes: 0, files: 0 }, hasTwoStep: false },
    ]);
  });

  it('is found by the id of its key, and its owner is told with its status', async () => {
    const { accountId, keyId } = await addOwner(store.database);
    expect(await store.database.run(findAccountOfKey, keyId)).toBe(accountId);
    expect(await store.database.run(findAccountOfKey, 'unknown')).toBeNull();
    const [{ digest = '' } = {}] = await store.query('SELECT digest FROM key_digests');
    await setStatus(accountId, 'disabled');
    expect(await store.database.run(findKeyOwner, String(digest))).toMatchObject({ accountId, status: 'disabled' });
  });

  it('has its running tasks found while it is disabled, and only then', async () => {
    const [one, other] = [await addOwner(store.database), await addOwner(store.database)];
    const [taskId = ''] = await createTasks(store.database, one.accountId, 1);
    await createTasks(store.database, other.accountId, 1);
    await claim(store.database, { workerId: 'w1' });
    expect(await store.database.run(findTasksOfDisabled, { limit: 9 })).toEqual([]);
    await setStatus(one.accountId, 'disabled');
    expect(await store.database.run(findTasksOfDisabled, { limit: 9 })).toEqual([{ accountId: one.accountId, taskId }]);
    expect(await store.database.run(countAccountTasks, one.accountId)).toEqual({ running: 1 });
    const held = { status: 'running' as const, accountId: null, workerId: 'w1', minAgeMs: 0, after: null, limit: 9 };
    expect(await store.database.run(listInstanceTasks, held)).toHaveLength(2);
    await setStatus(one.accountId, 'active');
    expect(await store.database.run(findTasksOfDisabled, { limit: 9 })).toEqual([]);
  });

  it('keeps what its webhooks are to be sent while it is disabled, and loses none of it', async () => {
    const { accountId } = await addOwner(store.database);
    await addWebhook(store.database, accountId);
    await createReported(store.database, accountId, 2);
    await setStatus(accountId, 'disabled');
    const resting = await claimSome(store.database);
    expect([resting.deliveries, resting.hasMore]).toEqual([[], false]);
    await setStatus(accountId, 'active');
    expect((await claimSome(store.database)).deliveries).toHaveLength(2);
  });
});
