import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  addApp,
  addGrant,
  farAhead,
  newPair,
  redeem,
  refresh,
  type SampleGrant,
} from '../../../test/support/oauth/oauth-samples.ts';
import type { Database } from '../db/database.ts';
import { updateApp } from './oauth-apps.ts';
import { disconnectApp, findTokenOwner, deleteExpiredGrants, listConnectedApps } from './oauth-grants.ts';
import { endReplayed, findSpentFor, type TokenExchange, revokeToken } from './oauth-tokens.ts';

const actor = { actor: 'operator', now: 1 };

function count(exchanges: readonly TokenExchange[], outcome: TokenExchange['outcome']): number {
  return exchanges.filter((exchange) => exchange.outcome === outcome).length;
}

/** Whether the access token with this digest is valid. */
async function isLive(database: Database, { accountId, grantId }: SampleGrant, digest: string): Promise<boolean> {
  return (await database.run(findTokenOwner, { accountId, grantId, digest })) !== null;
}

describeStores('an authorization code', (store) => {
  it('is exchanged once, also for concurrent requests to several processes', async () => {
    const grant = await addGrant(store.database);
    const databases = [store.database, ...store.others];
    const pairs = Array.from({ length: 50 }, newPair);
    const exchanges = await Promise.all(
      pairs.map((pair, at) => redeem(databases[at % databases.length] ?? store.database, grant, { pair })),
    );
    expect(count(exchanges, 'issued')).toBe(1);
    expect(count(exchanges, 'spent')).toBe(49);
    const live = await Promise.all(pairs.map(({ accessDigest }) => isLive(store.database, grant, accessDigest)));
    expect(live).toEqual(exchanges.map(({ outcome }) => outcome === 'issued'));
  });

  it('ends the grant with its tokens when reused by its client', async () => {
    const grant = await addGrant(store.database);
    const pair = newPair();
    const spentFor = () => store.database.run(findSpentFor, { ...grant, digest: grant.codeDigest });
    expect(await spentFor()).toBeNull();
    expect(await redeem(store.database, grant, { pair })).toEqual({ outcome: 'issued', scopes: ['create_task'] });
    expect(await isLive(store.database, grant, pair.accessDigest)).toBe(true);
    expect(await redeem(store.database, grant)).toEqual({ outcome: 'spent' });
    expect(await spentFor()).toBeGreaterThanOrEqual(0);
    await store.query('UPDATE oauth_grants SET code_spent_at = code_spent_at - 5000 WHERE id = ?', grant.grantId);
    expect(await spentFor()).toBeGreaterThanOrEqual(5000);
    expect(await isLive(store.database, grant, pair.accessDigest)).toBe(true);
    await store.database.run(endReplayed, grant);
    expect(await spentFor()).toBeNull();
    expect(await isLive(store.database, grant, pair.accessDigest)).toBe(false);
    expect(await refresh(store.database, grant, pair.refreshDigest)).toEqual({ outcome: 'refused' });
  });

  it('is unaffected by invalid use, before or after the exchange', async () => {
    const grant = await addGrant(store.database);
    const other = await addApp(store.database);
    const wrongs = [
      { challenge: 'other' },
      { redirectUri: 'https://app.example/' },
      { clientId: other.clientId },
      { digest: 'x' },
    ];
    const tryAll = async () => {
      for (const wrong of wrongs) expect(await redeem(store.database, grant, wrong)).toEqual({ outcome: 'refused' });
    };
    await tryAll();
    const pair = newPair();
    expect(await redeem(store.database, grant, { pair })).toMatchObject({ outcome: 'issued' });
    await tryAll();
    expect(await isLive(store.database, grant, pair.accessDigest)).toBe(true);
  });

  it('is valid until it expires', async () => {
    const grant = await addGrant(store.database, undefined, 1000);
    expect(await redeem(store.database, grant, { now: 1000 })).toEqual({ outcome: 'refused' });
    expect(await redeem(store.database, grant, { now: 999 })).toMatchObject({ outcome: 'issued' });
  });
});

describeStores('a refresh token', (store) => {
  async function connect(): Promise<{ grant: SampleGrant; first: ReturnType<typeof newPair> }> {
    const grant = await addGrant(store.database);
    const first = newPair();
    await redeem(store.database, grant, { pair: first });
    return { grant, first };
  }

  it('has one live successor, also for concurrent exchanges on several processes', async () => {
    const { grant, first } = await connect();
    const databases = [store.database, ...store.others];
    const pairs = Array.from({ length: 50 }, newPair);
    const exchanges = await Promise.all(
      pairs.map((pair, at) => refresh(databases[at % databases.length] ?? store.database, grant, first.refreshDigest, { pair })),
    );
    expect(count(exchanges, 'issued')).toBe(1);
    expect(count(exchanges, 'spent')).toBe(49);
    const live = await Promise.all(pairs.map(({ accessDigest }) => isLive(store.database, grant, accessDigest)));
    expect(live).toEqual(exchanges.map(({ outcome }) => outcome === 'issued'));
    const winner = pairs[exchanges.findIndex(({ outcome }) => outcome === 'issued')];
    expect(await refresh(store.database, grant, winner?.refreshDigest ?? '')).toMatchObject({ outcome: 'issued' });
  });

  it('invalidates its access token when it is exchanged', async () => {
    const { grant, first } = await connect();
    const second = newPair();
    expect(await refresh(store.database, grant, first.refreshDigest, { pair: second })).toMatchObject({ outcome: 'issued' });
    expect(await isLive(store.database, grant, first.accessDigest)).toBe(false);
    expect(await isLive(store.database, grant, second.accessDigest)).toBe(true);
  });

  it('that is reused, even generations later, ends the family; not when another client does it', async () => {
    const { grant, first } = await connect();
    const pairs = [first, newPair(), newPair()];
    for (const [at, pair] of pairs.slice(1).entries()) {
      expect(await refresh(store.database, grant, pairs[at]?.refreshDigest ?? '', { pair })).toMatchObject({ outcome: 'issued' });
    }
    const last = pairs.at(-1)?.accessDigest ?? '';
    expect(await refresh(store.database, grant, first.refreshDigest, { clientId: 'another' })).toEqual({ outcome: 'refused' });
    expect(await isLive(store.database, grant, last)).toBe(true);
    expect(await refresh(store.database, grant, first.refreshDigest)).toEqual({ outcome: 'spent' });
    await store.query('UPDATE oauth_spent SET spent_at = spent_at - 5000 WHERE digest = ?', first.refreshDigest);
    const spentFor = (digest: string) => store.database.run(findSpentFor, { ...grant, digest });
    expect(await spentFor(first.refreshDigest)).toBeGreaterThanOrEqual(5000);
    expect(await spentFor(pairs.at(-1)?.refreshDigest ?? '')).toBeNull();
    await store.database.run(endReplayed, grant);
    expect(await isLive(store.database, grant, last)).toBe(false);
  });

  it('gives no more scopes than the grant has, and fewer on request', async () => {
    const app = await addApp(store.database, { scopes: ['create_task', 'create_project'] });
    const grant = await addGrant(store.database, app);
    const [first, second] = [newPair(), newPair()];
    await redeem(store.database, grant, { pair: first });
    expect(await refresh(store.database, grant, first.refreshDigest, { scopes: ['manage_all_tasks'] })).toEqual({
      outcome: 'excessive',
    });
    expect(await refresh(store.database, grant, first.refreshDigest, { scopes: ['create_project'], pair: second })).toEqual({
      outcome: 'issued',
      scopes: ['create_project'],
    });
    const place = { accountId: grant.accountId, grantId: grant.grantId };
    expect(await store.database.run(findTokenOwner, { ...place, digest: second.accessDigest })).toMatchObject({
      scopes: ['create_project'],
    });
    expect(await refresh(store.database, grant, second.refreshDigest)).toEqual({
      outcome: 'issued',
      scopes: ['create_task', 'create_project'],
    });
  });

  it('is rejected when the application may now do more, and stays valid when it may do less', async () => {
    const app = await addApp(store.database, { scopes: ['create_task', 'create_project'] });
    const grant = await addGrant(store.database, app);
    const pair = newPair();
    await redeem(store.database, grant, { pair });
    const key = { accountId: app.accountId, clientId: app.clientId };
    const owner = () => store.database.run(findTokenOwner, { ...grant, digest: pair.accessDigest });
    await store.database.run(updateApp, { ...key, ...actor, change: { scopes: ['create_task'] } });
    expect(await owner()).toMatchObject({ needsConsent: false, scopes: ['create_task'] });
    await store.database.run(updateApp, { ...key, ...actor, change: { scopes: ['create_task', 'manage_all_tasks'] } });
    expect(await owner()).toMatchObject({ needsConsent: true });
    expect(await refresh(store.database, grant, pair.refreshDigest)).toEqual({ outcome: 'outgrown' });
  });

  it('is revoked with the whole grant, an access token alone', async () => {
    const { grant, first } = await connect();
    const { accountId, grantId, app } = grant;
    const revoke = (digest: string, clientId = app.clientId) =>
      store.database.run(revokeToken, { accountId, grantId, clientId, digest });
    expect(await revoke(first.accessDigest, 'another')).toBe(false);
    expect(await revoke(first.accessDigest)).toBe(true);
    expect(await isLive(store.database, grant, first.accessDigest)).toBe(false);
    const second = newPair();
    expect(await refresh(store.database, grant, first.refreshDigest, { pair: second })).toMatchObject({ outcome: 'issued' });
    expect(await revoke(second.refreshDigest)).toBe(true);
    expect(await isLive(store.database, grant, second.accessDigest)).toBe(false);
  });
});

describeStores('what an account has allowed', (store) => {
  it('is listed by application and ended for one of them', async () => {
    const app = await addApp(store.database, { kind: 'trusted_public' });
    const [one, two] = [await addGrant(store.database, app), await addGrant(store.database, app)];
    const pairs = [newPair(), newPair()];
    await redeem(store.database, one, { pair: pairs[0] ?? newPair() });
    await redeem(store.database, two, { pair: pairs[1] ?? newPair() });
    await addGrant(store.database, await addApp(store.database, { accountId: app.accountId }));
    const { accountId, clientId } = app;
    expect(await store.database.run(listConnectedApps, { accountId, now: farAhead - 1 })).toMatchObject([{ clientId }]);
    expect(await store.database.run(disconnectApp, { accountId, clientId, ...actor })).toBe(true);
    expect(await isLive(store.database, one, pairs[0]?.accessDigest ?? '')).toBe(false);
    expect(await store.database.run(disconnectApp, { accountId, clientId, ...actor })).toBe(false);
    expect(await store.database.run(listConnectedApps, { accountId, now: farAhead - 1 })).toEqual([]);
  });

  it('is deleted when it has expired', async () => {
    await addGrant(store.database, undefined, 500);
    const grant = await addGrant(store.database);
    const pair = newPair();
    await redeem(store.database, grant, { pair });
    await refresh(store.database, grant, pair.refreshDigest);
    expect(await store.database.run(deleteExpiredGrants, { now: 500, spentBefore: 0, limit: 10 })).toBe(1);
    expect(await store.database.run(deleteExpiredGrants, { now: 500, spentBefore: farAhead, limit: 10 })).toBe(1);
    expect(await store.query('SELECT id FROM oauth_grants')).toEqual([{ id: grant.grantId }]);
  });
});
