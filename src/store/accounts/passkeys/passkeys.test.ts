import { expect, it } from 'vitest';
import type { NewPasskey } from '@errand/base/secrets/passkeys.ts';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { nextMs } from '../../../../test/support/db/store-samples.ts';
import { addAccount, farAhead } from '../../../../test/support/oauth/oauth-samples.ts';
import { listSessions } from '../sessions.ts';
import { addPasskey, findPasskey, hasPasskeys, listPasskeys, maxPasskeys, passWithPasskey, removePasskey } from './passkeys.ts';

const sample = (id: string): NewPasskey => ({ id, publicKey: 'AA', signCount: 0, isSynced: true, transports: ['internal'] });

describeStores('stored passkeys', (store) => {
  const add = (accountId: string, id: string, now = nextMs()) =>
    store.database.run(addPasskey, { accountId, passkey: sample(id), name: `Key ${id}`, actor: 'test', now });

  it('belong to one account, which has a bounded number of them', async () => {
    const [ann, bob] = [await addAccount(store.database), await addAccount(store.database)];
    for (let number = 0; number < maxPasskeys; number++) await add(ann, `key${number}`);
    await expect(add(ann, 'one more')).rejects.toMatchObject({ code: 'failed_precondition' });
    await add(bob, 'key1');
    await expect(add(bob, 'key1')).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.database.run(listPasskeys, { accountId: ann })).toHaveLength(maxPasskeys);
    expect(await store.database.run(findPasskey, { accountId: bob, id: 'key2' })).toBe(null);
    expect(await store.database.run(findPasskey, { accountId: bob, id: 'key1' })).toMatchObject({ status: 'active' });
    const by = { actor: 'test', now: nextMs() };
    await expect(store.database.run(removePasskey, { accountId: bob, id: 'key2', ...by })).rejects.toMatchObject({
      code: 'not_found',
    });
    await store.database.run(removePasskey, { accountId: bob, id: 'key1', ...by });
    expect(await store.database.run(hasPasskeys, null)).toBe(true);
    expect(await store.database.run(listPasskeys, { accountId: bob })).toEqual([]);
  });

  it('answer a question once, whoever sends the answer at the same time, and none of before', async () => {
    const accountId = await addAccount(store.database);
    const now = nextMs();
    await add(accountId, 'key', now);
    const pass = (challengedAtMs: number, at = store.database) => {
      const session = { accountId, sessionId: newId(now), digest: newId(now), now, expiresAtMs: farAhead };
      return at.run(passWithPasskey, { accountId, id: 'key', signCount: 7, challengedAtMs, session, visit: {}, now });
    };
    const outcomes = await Promise.all([store.database, ...store.others].map((at) => pass(now + 2, at)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect([await pass(now + 1), await pass(now + 2), await pass(now + 3)]).toEqual([false, false, true]);
    expect(await store.database.run(listSessions, { accountId, now })).toHaveLength(2);
    const found = await store.database.run(findPasskey, { accountId, id: 'key' });
    expect(found?.passkey.signCount).toBe(7);
  });
});
