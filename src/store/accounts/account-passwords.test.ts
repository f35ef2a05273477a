import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount, farAhead } from '../../../test/support/oauth/oauth-samples.ts';
import { changeAccount } from './account-changes.ts';
import { findSignIn, hasPassword, setPassword } from './account-passwords.ts';
import { findPasswordless, isAnyPasswordSet, setFirstPassword } from './first-password.ts';
import { createSession, listSessions, touchSessions } from './sessions.ts';

describeStores('the password of an account', (store) => {
  const addressOf = (accountId: string) => `${accountId.toLowerCase()}@example.org`;

  it('is found at sign-in by its e-mail address, ignoring case', async () => {
    const accountId = await addAccount(store.database);
    expect(await store.database.run(hasPassword, { accountId })).toBe(false);
    expect(await store.database.run(findSignIn, addressOf(accountId))).toMatchObject({ account: { accountId }, hash: null });
    await store.database.run(setPassword, { accountId, hash: 'h1', now: nextMs(), actor: 'test' });
    expect(await store.database.run(hasPassword, { accountId })).toBe(true);
    expect(await store.database.run(findSignIn, addressOf(accountId).toUpperCase())).toMatchObject({ hash: 'h1' });
    expect(await store.database.run(findSignIn, 'nobody@example.org')).toBeNull();
    expect(await store.database.run(hasPassword, { accountId: newId(nextMs()) })).toBe(false);
  });

  it('is set once for the first account, by the first caller', async () => {
    const accountId = await addAccount(store.database);
    const other = await addAccount(store.database);
    const email = addressOf(accountId);
    expect(await store.database.run(findPasswordless, null)).toEqual({ accountId, email });
    expect(await store.database.run(isAnyPasswordSet, null)).toBe(false);
    const taken = store.database.run(setFirstPassword, { accountId, email: addressOf(other), hash: 'h', now: nextMs() });
    await expect(taken).rejects.toMatchObject({ code: 'invalid_argument' });
    const attempts = [store.database, ...store.others].map((database, index) =>
      database.run(setFirstPassword, { accountId, email: 'me@example.org', hash: `h${index}`, now: nextMs() }),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect(await store.database.run(findPasswordless, null)).toBeNull();
    expect(await store.database.run(isAnyPasswordSet, null)).toBe(true);
    expect(await store.database.run(findSignIn, 'me@example.org')).toMatchObject({ account: { accountId } });
  });

  it('signs out every browser except the one that changed it', async () => {
    const accountId = await addAccount(store.database);
    const sessionIds = [newId(nextMs()), newId(nextMs())];
    for (const sessionId of sessionIds) {
      const place = { accountId, sessionId };
      await store.database.run(createSession, { ...place, digest: sessionId, now: nextMs(), expiresAtMs: farAhead });
    }
    const [sessionId = ''] = sessionIds;
    const change = { accountId, sessionId, actor: 'test', now: nextMs() };
    expect(await store.database.run(changeAccount, { ...change, locale: 'de', passwordHash: null })).toMatchObject({
      locale: 'de',
    });
    expect(await store.database.run(listSessions, { accountId, now: 1 })).toHaveLength(2);
    expect(await store.database.run(changeAccount, { ...change, locale: null, passwordHash: 'h2' })).toMatchObject({
      locale: 'de',
    });
    await store.database.run(touchSessions, { now: 7, used: [{ accountId, sessionId }] });
    const left = await store.database.run(listSessions, { accountId, now: 1 });
    expect(left).toMatchObject([{ id: sessionId, lastUsedAtMs: 7 }]);
  });
});
