import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { nextMs } from '../../../../test/support/db/store-samples.ts';
import { addAccount, farAhead } from '../../../../test/support/oauth/oauth-samples.ts';
import { findSignIn, setPassword } from '../account-passwords.ts';
import { updateManagedAccount } from '../../instance/managed-accounts.ts';
import { listSecurityEvents } from '../security-events.ts';
import { createSession, listSessions } from '../sessions.ts';
import { keyOfPasswordLink, newPasswordLink } from './new-password-link.ts';
import { consumePasswordLink, createPasswordLink, deleteExpiredPasswordLinks, findPasswordLink } from './password-links.ts';

describeStores('a link that sets a password', (store) => {
  const make = async (accountId: string, now: number) => {
    const { path, digest, expiresAtMs } = newPasswordLink(accountId, now);
    const by = { isForInstance: false, actor: 'browser', detail: { from: '192.0.2.1' } };
    await store.database.run(createPasswordLink, { accountId, digest, expiresAtMs, ...by, now });
    return { accountId, digest, expiresAtMs, token: path.split('=')[1] ?? '' };
  };
  const find = (accountId: string, digest: string, now: number) =>
    store.database.run(findPasswordLink, { accountId, digest, now });
  const use = (accountId: string, digest: string, hash: string, now: number, database = store.database) =>
    database.run(consumePasswordLink, { accountId, digest, hash, visit: {}, now });

  it('sets it once, whoever uses it at the same time, and ends all sessions and other links', async () => {
    const accountId = await addAccount(store.database);
    const now = nextMs();
    const session = { accountId, sessionId: newId(now), digest: 's', now, expiresAtMs: farAhead };
    await store.database.run(createSession, session);
    const [first, second] = [await make(accountId, now), await make(accountId, now)];
    const databases = [store.database, ...store.others];
    const tries = databases.map((database, index) => use(accountId, first.digest, `h${index}`, now, database));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const email = `${accountId.toLowerCase()}@example.org`;
    expect(await store.database.run(findSignIn, email)).toMatchObject({ hash: `h${outcomes.indexOf(true)}` });
    expect(await store.database.run(listSessions, { accountId, now })).toEqual([]);
    expect(await use(accountId, second.digest, 'late', now)).toBe(false);
    const events = await store.database.run(listSecurityEvents, { accountId, beforeId: null, limit: 10 });
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'password_set')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'password_link_created')).toHaveLength(2);
  });

  it('works for half an hour, for its account alone, until the password is changed otherwise, and while the account is active', async () => {
    const [accountId, other] = [await addAccount(store.database), await addAccount(store.database)];
    const now = nextMs();
    const { digest, expiresAtMs } = await make(accountId, now);
    expect(expiresAtMs - now).toBe(30 * 60 * 1000);
    expect(await find(accountId, digest, expiresAtMs - 1)).toMatchObject({ locale: 'en' });
    expect(await find(accountId, digest, expiresAtMs)).toBeNull();
    expect(await use(accountId, digest, 'h', expiresAtMs)).toBe(false);
    expect(await find(other, digest, now)).toBeNull();
    expect(await use(other, digest, 'h', now)).toBe(false);
    const change = { accountId, plan: undefined, isInstanceOwner: undefined, actor: 'operator', now };
    await store.database.run(updateManagedAccount, { ...change, status: 'disabled' });
    expect(await find(accountId, digest, now)).toBeNull();
    await expect(make(accountId, now)).rejects.toMatchObject({ code: 'failed_precondition' });
    await store.database.run(updateManagedAccount, { ...change, status: 'active' });
    await store.database.run(setPassword, { accountId, hash: 'h2', now, actor: 'test' });
    expect(await find(accountId, digest, now)).toBeNull();
    await expect(make(newId(now), now)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is stored as a digest, and swept once it has expired', async () => {
    const accountId = await addAccount(store.database);
    const now = nextMs();
    const { token, digest, expiresAtMs } = await make(accountId, now);
    expect(JSON.stringify(await store.query('SELECT * FROM password_links'))).not.toContain(token.slice(22));
    expect(keyOfPasswordLink(token)).toEqual({ accountId, digest });
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), `${token.slice(1)}-`]) expect(keyOfPasswordLink(wrong)).toBeNull();
    const sweep = (at: number) => store.database.run(deleteExpiredPasswordLinks, { now: at, limit: 100 });
    const earlier = await sweep(now);
    expect(await find(accountId, digest, now)).not.toBeNull();
    expect([earlier >= 0, (await sweep(expiresAtMs)) > 0]).toEqual([true, true]);
    expect(await find(accountId, digest, now)).toBeNull();
  });
});
