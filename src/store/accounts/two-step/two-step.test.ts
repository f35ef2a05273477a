import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { turnTwoStepOn } from '../../../../test/support/accounts/two-step.ts';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { nextMs } from '../../../../test/support/db/store-samples.ts';
import { addAccount, farAhead } from '../../../../test/support/oauth/oauth-samples.ts';
import { findSignIn, setPassword } from '../account-passwords.ts';
import { listSecurityEvents } from '../security-events.ts';
import { listSessions } from '../sessions.ts';
import {
  beginTwoStep,
  confirmTwoStep,
  describeTwoStep,
  findUnconfirmed,
  removeTwoStep,
  renewRecoveryCodes,
} from './authenticators.ts';
import { digestOfRecoveryCode, newRecoveryCodes } from './new-recovery-codes.ts';
import {
  createPendingSignIn,
  deleteExpiredPendingSignIns,
  findPendingSignIn,
  hasTwoStep,
  passPendingSignIn,
  type SecondStep,
} from './pending-sign-ins.ts';

describeStores('two-step sign-in', (store) => {
  const wait = async (accountId: string, now: number, expiresAtMs = farAhead) => {
    const digest = newId(now);
    await store.database.run(createPendingSignIn, { accountId, digest, expiresAtMs });
    return digest;
  };
  const pass = (accountId: string, digest: string, proof: SecondStep, now: number, at = store.database) => {
    const session = { accountId, sessionId: newId(now), digest: newId(now), now, expiresAtMs: farAhead };
    return at.run(passPendingSignIn, { accountId, digest, proof, session, visit: {}, now });
  };

  it('accepts a code once, whoever enters it at the same time, and none of an earlier period', async () => {
    const accountId = await addAccount(store.database);
    const { id: authenticatorId } = await turnTwoStepOn(store.database, accountId);
    const now = nextMs();
    const all = [store.database, ...store.others];
    const waiting = await Promise.all(all.map(() => wait(accountId, now)));
    const proof = { authenticatorId, step: 1000 };
    const outcomes = await Promise.all(all.map((at, index) => pass(accountId, waiting[index] ?? '', proof, now, at)));
    expect(outcomes.filter((outcome) => outcome === 'passed')).toHaveLength(1);
    const rest = outcomes.filter((outcome) => outcome !== 'passed');
    expect(new Set(rest)).toEqual(new Set(rest.length > 0 ? ['wrong'] : []));
    expect(await store.database.run(listSessions, { accountId, now })).toHaveLength(1);
    const left = await wait(accountId, now);
    expect(await pass(accountId, left, { authenticatorId, step: 999 }, now)).toBe('wrong');
    expect(await pass(accountId, left, { authenticatorId, step: 1001 }, now)).toBe('passed');
    expect(await pass(accountId, left, { authenticatorId, step: 1002 }, now)).toBe('gone');
  });

  it('lets a sign-in wait once, for its account alone, until it expires or the password changes', async () => {
    const [accountId, other] = [await addAccount(store.database), await addAccount(store.database)];
    const { id: authenticatorId, recoveryCodes } = await turnTwoStepOn(store.database, accountId);
    await turnTwoStepOn(store.database, other);
    const now = nextMs();
    const digest = await wait(accountId, now, now + 10);
    const find = (of: string, at: number) => store.database.run(findPendingSignIn, { accountId: of, digest, now: at });
    expect([await find(accountId, now + 9), await find(accountId, now + 10), await find(other, now)]).toMatchObject([
      { authenticator: { id: authenticatorId } },
      null,
      null,
    ]);
    const recoveryDigest = digestOfRecoveryCode(accountId, recoveryCodes[0] ?? '');
    expect(await pass(other, await wait(other, now), { recoveryDigest }, now)).toBe('wrong');
    expect(await pass(accountId, digest, { recoveryDigest }, now + 10)).toBe('gone');
    await store.database.run(setPassword, { accountId, hash: 'h', now, actor: 'test' });
    expect(await find(accountId, now)).toBeNull();
    expect(await store.database.run(hasTwoStep, { accountId })).toBe(true);
    const late = await wait(accountId, now, now + 10);
    expect(await store.database.run(deleteExpiredPendingSignIns, { now: now + 10, limit: 100 })).toBeGreaterThan(0);
    expect(await pass(accountId, late, { recoveryDigest }, now)).toBe('gone');
  });

  it('has recovery codes that work once each, until they are replaced', async () => {
    const accountId = await addAccount(store.database);
    const { recoveryCodes } = await turnTwoStepOn(store.database, accountId);
    const now = nextMs();
    expect(new Set(recoveryCodes).size).toBe(10);
    const use = async (code = '') =>
      pass(accountId, await wait(accountId, now), { recoveryDigest: digestOfRecoveryCode(accountId, code) }, now);
    expect([await use(recoveryCodes[0]), await use(recoveryCodes[0])]).toEqual(['passed', 'wrong']);
    expect(await store.database.run(describeTwoStep, { accountId })).toEqual({ onSinceMs: 1, codesLeft: 9 });
    const { codes, digests } = newRecoveryCodes(accountId);
    await store.database.run(renewRecoveryCodes, { accountId, codes: digests, actor: 'test', now });
    expect([await use(recoveryCodes[1]), await use(codes[0])]).toEqual(['wrong', 'passed']);
    expect(JSON.stringify(await store.query('SELECT * FROM recovery_codes'))).not.toContain(codes[1]);
  });

  it('counts from its first code on, can be set up once at a time, and is gone whole when it is turned off', async () => {
    const [accountId, other] = [await addAccount(store.database), await addAccount(store.database)];
    const now = nextMs();
    const begin = async () => {
      const id = newId(now);
      await store.database.run(beginTwoStep, { accountId, id, sealedSecret: 'sealed', now });
      return id;
    };
    const confirm = (id: string, of = accountId) =>
      store.database.run(confirmTwoStep, { accountId: of, id, step: 7, codes: ['d'], actor: 'test', now });
    const remove = () => store.database.run(removeTwoStep, { accountId, isForInstance: true, actor: 'test', now });
    await expect(remove()).rejects.toMatchObject({ code: 'failed_precondition' });
    await expect(store.database.run(renewRecoveryCodes, { accountId, codes: [], actor: 'test', now })).rejects.toMatchObject({
      status: 412,
    });
    const [first, second] = [await begin(), await begin()];
    expect(await store.database.run(hasTwoStep, { accountId })).toBe(false);
    expect(await store.database.run(findUnconfirmed, { accountId: other, id: second })).toBeNull();
    for (const wrong of [confirm(first), confirm(second, other), confirm(newId(now))]) {
      await expect(wrong).rejects.toMatchObject({ code: 'not_found' });
    }
    await confirm(second);
    expect(await store.database.run(findUnconfirmed, { accountId, id: second })).toBeNull();
    const email = `${accountId.toLowerCase()}@example.org`;
    expect(await store.database.run(findSignIn, email)).toMatchObject({ hasTwoStep: true });
    await expect(confirm(second)).rejects.toMatchObject({ code: 'not_found' });
    await expect(begin()).rejects.toMatchObject({ code: 'failed_precondition' });
    const digest = await wait(accountId, now);
    await remove();
    expect(await store.database.run(findSignIn, email)).toMatchObject({ hasTwoStep: false });
    expect(await store.database.run(findPendingSignIn, { accountId, digest, now })).toBeNull();
    expect(await store.database.run(describeTwoStep, { accountId })).toEqual({ onSinceMs: null, codesLeft: 0 });
    const events = await store.database.run(listSecurityEvents, { accountId, beforeId: null, limit: 5 });
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['two_step_off', 'two_step_on']));
  });
});
