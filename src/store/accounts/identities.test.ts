import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newId } from '@errand/base/ids.ts';
import { findAccount } from './accounts.ts';
import { type AdmitArgs, admitIdentity, isIdentityKnown, linkIdentity, listIdentities, unlinkIdentity } from './identities.ts';

const issuer = 'https://login.example.com';

function somebody(subject: string, email: string | null, more: Partial<AdmitArgs> = {}): AdmitArgs {
  return { issuer, subject, email, canSignUp: true, team: null, newAccountId: newId(1), visit: {}, now: 1, ...more };
}

describeStores('an identity', (store) => {
  it('gets no account without sign-up, and exactly one with it, also for concurrent requests', async () => {
    const { database, others } = store;
    const email = 'ann@example.com';
    expect(await database.run(admitIdentity, somebody('ann', email, { canSignUp: false }))).toEqual({ refusal: 'none' });
    expect(await database.run(admitIdentity, somebody('ann', null))).toEqual({ refusal: 'none' });
    expect(await database.run(findAccount, email)).toBeNull();
    const stores = [database, ...others, database];
    const admitted = await Promise.all(stores.map((each) => each.run(admitIdentity, somebody('ann', email))));
    const account = await database.run(findAccount, email);
    for (const each of admitted) expect(each).toEqual({ accountId: account?.accountId, teamProblem: null, isActive: true });
    const kinds = await store.query('SELECT kind FROM security_events WHERE account_id = ?', account?.accountId ?? '');
    expect(kinds.map(({ kind }) => String(kind)).toSorted()).toEqual([
      'account_created',
      'identity_linked',
      ...stores.map(() => 'signed_in'),
    ]);
  });

  it('belongs to one account, and an account has one of each provider', async () => {
    const { database } = store;
    const admitted = await database.run(admitIdentity, somebody('ann', 'ann@example.com'));
    const accountId = 'accountId' in admitted ? admitted.accountId : '';
    // The address now belongs to somebody else at the provider.
    expect(await database.run(admitIdentity, somebody('eve', 'ann@example.com'))).toEqual({ refusal: 'taken' });
    expect(await database.run(admitIdentity, somebody('ann', 'new@example.com'))).toMatchObject({ accountId });
    expect(await database.run(listIdentities, { accountId })).toMatchObject([{ subject: 'ann', email: 'new@example.com' }]);
    await database.run(admitIdentity, somebody('bob', 'bob@example.com'));
    const by = { issuer, email: null, actor: 'operator', now: 1 };
    const link = (subject: string, more: object = {}) => database.run(linkIdentity, { accountId, subject, ...by, ...more });
    await expect(link('eve')).rejects.toThrow('has another identity of this provider');
    await expect(link('bob')).rejects.toThrow('belongs to another account');
    await link('ann');
    await link('bob', { issuer: 'https://other.example.com' });
    await expect(link('x', { accountId: newId(1) })).rejects.toThrow('account not found');
  });

  it('stays linked until it is unlinked, which can be done once', async () => {
    const { database } = store;
    const admitted = await database.run(admitIdentity, somebody('ann', 'ann@example.com'));
    const accountId = 'accountId' in admitted ? admitted.accountId : '';
    expect(await database.run(isIdentityKnown, { issuer, subject: 'ann' })).toBe(true);
    expect(await database.run(isIdentityKnown, { issuer, subject: 'eve' })).toBe(false);
    const unlink = { accountId, issuer, actor: 'test', now: 1 };
    await database.run(unlinkIdentity, unlink);
    expect(await database.run(isIdentityKnown, { issuer, subject: 'ann' })).toBe(false);
    await expect(database.run(unlinkIdentity, unlink)).rejects.toMatchObject({ code: 'not_found' });
  });
});
