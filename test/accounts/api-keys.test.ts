import { expect, it } from 'vitest';
import { revokeApiKey } from '../../src/store/accounts/api-keys.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';

describeStores('an API key', (store) => {
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    // The embedded database answers without a pause, in which others would come to act.
    while (!(await isSo())) await new Promise(setImmediate);
  }

  it('works in every configured family, and in no other', async () => {
    await using api = await ApiUnderTest.start(store.database, { settings: { headerFamilies: ['service', 'acme'] } });
    const statusWith = async (header: string) =>
      (await api.call('task.list', {}, { key: null, headers: { [header]: api.owner.key } })).status;
    expect(await statusWith('x-service-api-key')).toBe(200);
    expect(await statusWith('X-ACME-API-KEY')).toBe(200);
    expect(await statusWith('x-manus-api-key')).toBe(401);
  });

  it('is refused by every process within a second of its revocation', async () => {
    // Time stands still: whoever needs more than a second of it refuses too late.
    const clock = new TestClock(Date.now());
    await using here = await ApiUnderTest.start(store.database, { clock });
    await using there = await ApiUnderTest.start(store.others[0] ?? store.database, { clock, owner: here.owner });
    const both = [here, there];
    for (const api of both) expect((await api.call('task.list')).status).toBe(200);
    await here.database.run(revokeApiKey, { accountId: here.owner.accountId, keyId: here.owner.keyId, now: Date.now() });
    // The process that revoked it refuses it immediately; the other on a hint, or after half a second without one.
    expect((await here.call('task.list')).status).toBe(401);
    await clock.advance(999);
    for (const api of both)
      expect((await api.call('task.list')).body.error).toEqual({ code: 'unauthenticated', message: 'invalid API key' });
  });

  it('that is new works at once, even if it was tried before', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (let round = 0; round < 3; round++) expect((await api.call('task.list', {}, { key: 'sk-nobody' })).status).toBe(401);
    const owner = await addOwner(store.database);
    expect((await api.call('task.list', {}, { key: owner.key })).status).toBe(200);
  });

  it('records when it was used, periodically for all keys together', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(store.database, { clock });
    const lastUsed = async () =>
      (await store.query('SELECT last_used_at FROM api_keys WHERE id = ?', api.owner.keyId))[0]?.last_used_at;
    await api.call('task.list');
    expect(await lastUsed()).toBeNull();
    const isNoted = async () => (await lastUsed()) !== null;
    await clock.advance(30_000);
    await until(isNoted);
    expect(await lastUsed()).toBe(clock.now());
    clock.jump(60_000);
    await api.call('task.list');
    await api.stop();
    expect(await lastUsed()).toBe(clock.now());
  });

  it('stays the named creator of its tasks when it is revoked', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    await store.database.run(revokeApiKey, { accountId: api.owner.accountId, keyId: api.owner.keyId, now: Date.now() });
    const { body } = await api.http.inject({
      method: 'GET',
      path: '/v2/task.detail',
      query: { task_id: taskId },
      account: api.owner.accountId,
    });
    expect(body.task).toMatchObject({ created_by_api_key: { id: api.owner.keyId, name: 'test key' } });
  });
});
