import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { legacyOperations } from '../../src/legacy/index.ts';
import { addInstanceKey, addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { describeStores } from '../support/db/databases.ts';

describeStores('an instance key', (store) => {
  const operate = async (api: ApiUnderTest, name: string, body: Json = {}, method: 'GET' | 'POST' = 'POST') =>
    (await api.http.inject({ method, path: `/admin/${name}`, ...(method === 'POST' && { body }) })).body;

  it('is shown once, stored as a digest, listed without its secret, and refused once it is revoked', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const made = await operate(api, 'operator.createKey', { name: 'reseller' });
    const secret = String(made.api_key);
    expect(secret).toMatch(/^si-[0-9A-Za-z]{43}$/);
    expect(JSON.stringify(await store.query('SELECT * FROM instance_keys'))).not.toContain(secret);
    const { id } = made.key as { id: string };
    expect((await operate(api, 'operator.listKeys', {}, 'GET')).data).toEqual([
      expect.objectContaining({ id, name: 'reseller', tail: secret.slice(-4), last_used_at: null }),
    ]);
    expect((await api.call('instance.listAccounts', {}, { key: secret })).status).toBe(200);
    const asBearer = { key: null, headers: { authorization: `Bearer ${secret}` } };
    expect((await api.call('instance.listAccounts', {}, asBearer)).status).toBe(200);
    expect(await operate(api, 'operator.revokeKey', { key_id: id })).toMatchObject({ key_id: id, revoked: true });
    const refused = await api.call('instance.listAccounts', {}, { key: secret });
    expect([refused.status, refused.body.error]).toEqual([401, { code: 'unauthenticated', message: 'invalid instance key' }]);
    const { api_key: another } = await operate(api, 'operator.createKey', { name: 'auditor' });
    const { data } = (await api.call('instance.listEvents', {}, { key: String(another) })).body;
    expect(data.map(({ kind }) => kind)).toEqual(['instance_key_created', 'instance_key_revoked', 'instance_key_created']);
  });

  it('calls no operation of accounts, of either version, and is told which key it needs', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const key = await addInstanceKey(store.database);
    for (const { name, path, method, access } of operations.filter((row) => !row.access.startsWith('instance'))) {
      const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const response = await api.fetch(path, { method, ...body }, { key });
      expect([name, access, response.status]).toEqual([name, access, 403]);
      expect(await response.text()).toContain('An instance key calls instance operations only');
    }
    for (const { path, method, access } of legacyOperations.filter((row) => row.access !== 'visitor')) {
      const url = path.replaceAll(/:\w+/g, 'unknown');
      const response = await api.fetch(url, { method }, { key: null, headers: { api_key: key } });
      expect([method, url, access, response.status]).toEqual([method, url, access, 403]);
    }
    expect((await api.fetch('/mcp', { method: 'POST' }, { key })).status).toBe(403);
  });

  it('is needed for instance operations: keys of accounts get 403 with the remedy', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const owner = await addOwner(store.database);
    const { status, body } = await api.call('instance.listAccounts', {}, { key: owner.key });
    expect([status, body.error.code]).toEqual([403, 'permission_denied']);
    expect(body.error.message).toContain('errand key create --instance');
    expect((await api.call('instance.listAccounts', {}, { key: 'si-unknown' })).status).toBe(401);
  });
});
