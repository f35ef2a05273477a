import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { addAccount, addApp, addGrant, newPair, redeem } from '../../../test/support/oauth/oauth-samples.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { deleteApp, findApp, listApps, updateApp } from './oauth-apps.ts';
import { findTokenOwner } from './oauth-grants.ts';
import { createAppSecret, listAppSecrets, matchesAppSecret, maxAppSecrets, revokeAppSecret } from './oauth-secrets.ts';
import { createSession, endSession, findSession, deleteExpiredSessions, listSessions, signOut } from '../accounts/sessions.ts';

const actor = { actor: 'operator', now: 1, isOperator: true };

describeStores('an application', (store) => {
  it('is found by anybody through its client id and listed for its owner only', async () => {
    const app = await addApp(store.database, { name: 'Reports', redirectUris: ['https://a.example/cb', 'myapp:done'] });
    await addApp(store.database);
    expect(await store.database.run(findApp, app.clientId)).toEqual(app);
    expect(await store.database.run(listApps, app.accountId)).toEqual([app]);
    expect(await store.database.run(findApp, 'nobody')).toBeNull();
  });

  it('of another account can be neither changed nor deleted', async () => {
    const app = await addApp(store.database);
    const stranger = { accountId: await addAccount(store.database), clientId: app.clientId };
    await expect(store.database.run(updateApp, { ...stranger, ...actor, change: { name: 'Mine' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(store.database.run(deleteApp, { ...stranger, ...actor })).rejects.toMatchObject({ code: 'not_found' });
    const secret = { id: 's', digest: 'd', tail: 't', createdAtMs: 1 };
    await expect(store.database.run(createAppSecret, { ...stranger, ...actor, secret })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store.database.run(findApp, app.clientId)).toEqual(app);
  });

  it('requires new consent when it may do more or becomes trusted, and not otherwise', async () => {
    const app = await addApp(store.database, { scopes: ['create_task', 'create_project'] });
    const key = { accountId: app.accountId, clientId: app.clientId };
    const revisionAfter = async (change: Parameters<typeof updateApp.run>[0]['change']) =>
      (await store.database.run(updateApp, { ...key, ...actor, change })).revision;
    expect(await revisionAfter({ name: 'New name', redirectUris: ['https://b.example/'] })).toBe(1);
    expect(await revisionAfter({ scopes: ['create_task'] })).toBe(1);
    expect(await revisionAfter({ scopes: ['create_task', 'use_connectors'] })).toBe(2);
    expect(await revisionAfter({ kind: 'trusted_team' })).toBe(3);
    expect(await revisionAfter({ kind: 'trusted_public' })).toBe(3);
    expect(await revisionAfter({ kind: 'team' })).toBe(3);
  });

  it('that is deleted loses its secrets and tokens', async () => {
    const app = await addApp(store.database);
    const grant = await addGrant(store.database, app);
    const pair = newPair();
    await redeem(store.database, grant, { pair });
    const key = { accountId: app.accountId, clientId: app.clientId };
    await store.database.run(deleteApp, { ...key, ...actor });
    expect(await store.database.run(findTokenOwner, { ...grant, digest: pair.accessDigest })).toBeNull();
    expect(await store.database.run(matchesAppSecret, { ...key, digest: digestSecret('app secret') })).toBe(false);
    await expect(store.database.run(deleteApp, { ...key, ...actor })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has up to five secrets, each valid until it is revoked', async () => {
    const app = await addApp(store.database);
    const key = { accountId: app.accountId, clientId: app.clientId };
    const add = (text: string) =>
      store.database.run(createAppSecret, {
        ...key,
        ...actor,
        secret: { id: newId(nextMs()), digest: digestSecret(text), tail: text.slice(-4), createdAtMs: nextMs() },
      });
    const settled = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => add(`secret ${at}`)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxAppSecrets - 1);
    const [first] = await store.database.run(listAppSecrets, key);
    const matches = (text: string) => store.database.run(matchesAppSecret, { ...key, digest: digestSecret(text) });
    expect(await matches('app secret')).toBe(true);
    await store.database.run(revokeAppSecret, { ...key, ...actor, secretId: first?.id ?? '' });
    expect(await matches('app secret')).toBe(false);
    await expect(store.database.run(revokeAppSecret, { ...key, ...actor, secretId: first?.id ?? '' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await add('the next');
    expect(await matches('the next')).toBe(true);
  });

  it('that is public has no secrets', async () => {
    const app = await addApp(store.database, { isPublic: true }, null);
    const key = { accountId: app.accountId, clientId: app.clientId };
    const secret = { id: 's', digest: 'd', tail: 't', createdAtMs: 1 };
    await expect(store.database.run(createAppSecret, { ...key, ...actor, secret })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describeStores('a session', (store) => {
  it('is found by both of its ids and its digest until it is ended', async () => {
    const accountId = await addAccount(store.database);
    const start = async (digest: string, expiresAtMs = 2000) => {
      const place = { accountId, sessionId: newId(nextMs()) };
      await store.database.run(createSession, { ...place, digest, now: 1, expiresAtMs });
      return place;
    };
    const [here, there, old] = [await start('d1'), await start('d2'), await start('d3', 1000)];
    const find = (place: typeof here, digest: string) => store.database.run(findSession, { ...place, digest });
    expect(await find(here, 'd1')).toMatchObject({ ...here, plan: 'pro', expiresAtMs: 2000 });
    expect(await find(here, 'd2')).toBeNull();
    expect(await store.database.run(deleteExpiredSessions, { now: 1000, limit: 10 })).toBe(1);
    expect(await find(old, 'd3')).toBeNull();
    const listed = await store.database.run(listSessions, { accountId, now: 1000 });
    expect(listed.map(({ id }) => id).toSorted()).toEqual([here.sessionId, there.sessionId].toSorted());
    const choice = { exceptSessionId: here.sessionId };
    expect(await store.database.run(signOut, { accountId, choice, ...actor })).toBe(1);
    expect(await store.database.run(signOut, { accountId, choice, ...actor })).toBe(0);
    expect(await store.database.run(signOut, { accountId: 'another', choice: here, ...actor })).toBe(0);
    expect(await find(there, 'd2')).toBeNull();
    await store.database.run(endSession, here);
    expect(await find(here, 'd1')).toBeNull();
  });
});
