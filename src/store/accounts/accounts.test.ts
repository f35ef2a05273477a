import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import { createAccountWithKey } from './account-with-key.ts';
import { type Account, createAccount, findAccount } from './accounts.ts';
import { listApiKeys } from './api-keys.ts';
import { createFirstAccount } from './first-account.ts';
import { setInstanceValue, nameInstance } from '../instance/instance-values.ts';

function sampleAccount(changes: Partial<Account> = {}): Account {
  const now = nextMs();
  const accountId = newId(now);
  return { accountId, email: `${accountId.toLowerCase()}@example.org`, plan: 'pro', locale: 'en', createdAtMs: now, ...changes };
}

function sampleKey(secret: string) {
  return { keyId: newId(nextMs()), name: 'first key', digest: secret, tail: 'abcd' };
}

describeStores('an account', (store) => {
  it('is found by its id, and by its address ignoring case; the default is the oldest one', async () => {
    const [oldest, other] = [sampleAccount(), sampleAccount({ plan: 'team', locale: 'zh-CN' })];
    await store.database.run(createAccount, oldest);
    await store.database.run(createAccount, other);
    expect(await store.database.run(findAccount, other.accountId)).toEqual(other);
    expect(await store.database.run(findAccount, other.email.toUpperCase())).toEqual(other);
    expect(await store.database.run(findAccount, null)).toEqual(oldest);
    expect(await store.database.run(findAccount, 'nobody@example.org')).toBeNull();
  });

  it('has a unique address, also when several are created at once', async () => {
    const databases = [store.database, ...store.others];
    const attempts = databases.map((database) => database.run(createAccount, sampleAccount({ email: 'me@example.org' })));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of settled) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'invalid_argument',
          message: 'email: me@example.org already has an account',
        });
    }
  });

  it('is created with its key or not at all', async () => {
    const taken = sampleKey('digest');
    await store.database.run(createAccountWithKey, { account: sampleAccount(), key: taken });
    const refused = sampleAccount();
    await expect(store.database.run(createAccountWithKey, { account: refused, key: sampleKey('digest') })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(await store.database.run(findAccount, refused.accountId)).toBeNull();
    expect(await store.query('SELECT COUNT(*) AS count FROM api_keys')).toEqual([{ count: 1 }]);
  });
});

describeStores('a new instance', (store) => {
  it('gets one account with a working key when several processes start on it at once', async () => {
    const databases = [store.database, ...store.others];
    const starts = databases.map((database, index) => {
      // The same configuration in each process, and once a different one, as after a change between two starts.
      const account = sampleAccount({ email: index === 2 ? 'other@localhost' : 'owner@localhost' });
      return database.run(createFirstAccount, { account, key: sampleKey(`digest ${index}`) });
    });
    const made = await Promise.all(starts);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await store.query('SELECT COUNT(*) AS count FROM accounts')).toEqual([{ count: 1 }]);
    const [owner] = await store.query('SELECT account_id FROM accounts');
    expect(await store.database.run(listApiKeys, String(owner?.account_id))).toHaveLength(1);
    expect(await store.database.run(createFirstAccount, { account: sampleAccount(), key: sampleKey('late') })).toBe(false);
  });

  it('keeps the first name and values it was given', async () => {
    const names = await Promise.all(
      [store.database, ...store.others].map((database, index) => database.run(nameInstance, `i${index}`)),
    );
    expect(new Set(names).size).toBe(1);
    expect(await store.database.run(nameInstance, 'later')).toBe(names[0]);
    expect(await store.database.run(setInstanceValue, { name: 'secret', value: 's1' })).toBe('s1');
    expect(await store.database.run(setInstanceValue, { name: 'secret', value: 's2' })).toBe('s1');
  });
});
