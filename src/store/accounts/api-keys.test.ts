import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import { createAccount } from './accounts.ts';
import { createApiKey, findKeyOwner, listApiKeys, maxApiKeys, revokeApiKey, touchApiKeys } from './api-keys.ts';
import { createTask, getTask } from '../tasks/tasks.ts';

describeStores('an API key', (store) => {
  const openAccount = async () => {
    const now = nextMs();
    const accountId = newId(now);
    await store.database.run(createAccount, {
      accountId,
      email: `${accountId.toLowerCase()}@x.org`,
      plan: 'free',
      locale: 'de',
      createdAtMs: now,
    });
    return accountId;
  };
  const create = (accountId: string, digest: string, database = store.database) => {
    const now = nextMs();
    return database.run(createApiKey, { accountId, keyId: newId(now), name: `key ${digest}`, digest, tail: 'wxyz', now });
  };

  it('belongs to its account', async () => {
    const accountId = await openAccount();
    const { id } = await create(accountId, 'd1');
    expect(await store.database.run(findKeyOwner, 'd1')).toEqual({
      accountId,
      keyId: id,
      plan: 'free',
      locale: 'de',
      status: 'active',
      scope: 'everything',
      expiresAtMs: null,
    });
    expect(await store.database.run(findKeyOwner, 'd2')).toBeNull();
  });

  it('with a limit is found with it, and not by versions that know of no limits', async () => {
    const accountId = await openAccount();
    const now = nextMs();
    const limits = { scope: 'read_only', expiresAtMs: now + 1 } as const;
    const stored = { keyId: newId(now), name: 'limited', digest: 'd1', tail: 'wxyz' };
    const key = await store.database.run(createApiKey, { accountId, ...stored, limits, now });
    expect(key).toMatchObject(limits);
    expect(await store.database.run(listApiKeys, accountId)).toEqual([key]);
    expect(await store.database.run(findKeyOwner, 'd1')).toMatchObject({ accountId, keyId: key.id, ...limits });
    expect(await store.query("SELECT key_id FROM key_digests WHERE digest = 'd1'")).toEqual([]);
    await store.database.run(revokeApiKey, { accountId, keyId: key.id, now });
    expect(await store.database.run(findKeyOwner, 'd1')).toBeNull();
    expect(await store.query('SELECT key_id FROM key_digests')).toEqual([]);
  });

  it('is listed for its account only, oldest first', async () => {
    const [accountId, other] = [await openAccount(), await openAccount()];
    const keys = [await create(accountId, 'd1'), await create(accountId, 'd2')];
    await create(other, 'd3');
    expect(await store.database.run(listApiKeys, accountId)).toEqual(keys);
  });

  it('is unusable once revoked, can be revoked once, and keeps its name for the tasks it created', async () => {
    const accountId = await openAccount();
    const { id: keyId } = await create(accountId, 'd1');
    const sample = sampleTask(accountId, { apiKeyId: keyId });
    await store.database.run(createTask, sample);
    await expect(store.database.run(revokeApiKey, { accountId: 'a2', keyId, now: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    const hinted = new Promise<void>((resolve) => void store.database.hints.subscribe('credentials', resolve));
    expect(await store.database.run(revokeApiKey, { accountId, keyId, now: 1 })).toEqual({ keyId });
    await hinted;
    expect(await store.database.run(findKeyOwner, 'd1')).toBeNull();
    expect(await store.database.run(listApiKeys, accountId)).toEqual([]);
    await expect(store.database.run(revokeApiKey, { accountId, keyId, now: 1 })).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.database.run(getTask, sample)).toMatchObject({ apiKeyId: keyId, apiKeyName: 'key d1' });
  });

  it('is rejected when another key has the same secret', async () => {
    const accountId = await openAccount();
    await create(accountId, 'd1');
    await expect(create(accountId, 'd1')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await store.database.run(listApiKeys, accountId)).toHaveLength(1);
  });

  it('is one of at most fifty, also when several processes create them at once', async () => {
    const accountId = await openAccount();
    const databases = [store.database, ...store.others];
    const attempts = Array.from({ length: maxApiKeys + 10 }, (_, index) => create(accountId, `d${index}`, databases[index % 3]));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxApiKeys);
    const [refused] = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toMatchObject({ code: 'resource_exhausted' });
    const [first] = await store.database.run(listApiKeys, accountId);
    await store.database.run(revokeApiKey, { accountId, keyId: first?.id ?? '', now: 1 });
    expect(await create(accountId, 'again')).toMatchObject({ name: 'key again' });
  });

  it('cannot be created for a missing account', async () => {
    await expect(create('nobody', 'd1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('records when it was used, in batches', async () => {
    const accountIds = [await openAccount(), await openAccount()];
    const keys: { accountId: string; keyId: string }[] = [];
    for (const accountId of accountIds)
      for (const n of [1, 2]) keys.push({ accountId, keyId: (await create(accountId, `${accountId}${n}`)).id });
    const databases = [store.database, ...store.others];
    const rounds = Array.from({ length: 12 }, (_, index) =>
      (databases[index % 3] ?? store.database).run(touchApiKeys, { now: 7, keys: index % 2 ? keys : keys.toReversed() }),
    );
    await Promise.all(rounds);
    for (const accountId of accountIds) {
      expect((await store.database.run(listApiKeys, accountId)).map(({ lastUsedAtMs }) => lastUsedAtMs)).toEqual([7, 7]);
    }
    await store.database.run(touchApiKeys, { now: 8, keys: [] });
  });
});
