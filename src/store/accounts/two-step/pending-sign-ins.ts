import { accountRow } from '../../db/shared-rows.ts';
import { deleteSome, insertRow, type Script, selectFirst, type StoreOperation } from '../../db/store-operation.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { createSession, type CreateSessionArgs } from '../sessions.ts';
import { type Authenticator, readConfirmed } from './authenticators.ts';

/** The storage key of a sign-in that waits for its second step. */
export interface PendingSignInKey {
  accountId: string;
  /** Digest of the token in the cookie of its browser. */
  digest: string;
}

/** Whether an account asks for a second step at sign-in. */
export const hasTwoStep: StoreOperation<{ accountId: string }, boolean> = {
  name: 'twoStep.isOn',
  access: 'read',
  *run({ accountId }) {
    return (yield* readConfirmed(accountId)) !== null;
  },
};

/** Remembers that the first step of a sign-in is done. */
export const createPendingSignIn: StoreOperation<PendingSignInKey & { expiresAtMs: number }, null> = {
  name: 'pendingSignIns.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, digest, expiresAtMs }) {
    yield [insertRow('pending_sign_ins', { account_id: accountId, digest, expires_at: expiresAtMs })];
    return null;
  },
};

/** A sign-in that waits for its second step. */
export interface PendingSignIn {
  email: string;
  authenticator: Authenticator;
}

/** A sign-in that still waits; null for one that is done, expired, or void, and while its account is not active. */
export const findPendingSignIn: StoreOperation<PendingSignInKey & { now: number }, PendingSignIn | null> = {
  name: 'pendingSignIns.find',
  access: 'read',
  *run({ accountId, digest, now }) {
    const row = yield* selectFirst(
      `SELECT a.email FROM pending_sign_ins p JOIN accounts a ON a.account_id = p.account_id
       WHERE p.account_id = ? AND p.digest = ? AND p.expires_at > ? AND a.status = 'active'`,
      accountId,
      digest,
      now,
    );
    const authenticator = row && (yield* readConfirmed(accountId));
    return row && authenticator ? { email: accountRow.email(row), authenticator } : null;
  },
};

/** What proves the second step: the period of a code of an authenticator, or the stored form of a recovery code. */
export type SecondStep = { authenticatorId: string; step: number } | { recoveryDigest: string };

export interface PassPendingArgs extends PendingSignInKey {
  proof: SecondStep;
  session: CreateSessionArgs;
  /** Browser and client address, for the security record. */
  visit: Readonly<Record<string, string>>;
  now: number;
}

/** Uses up a proof; false if that happened before. */
function* spend(accountId: string, proof: SecondStep): Script<boolean> {
  const spent =
    'step' in proof
      ? yield* selectFirst(
          `UPDATE authenticators SET last_step = ?
           WHERE account_id = ? AND id = ? AND confirmed_at IS NOT NULL AND last_step < ? RETURNING id`,
          ...[proof.step, accountId, proof.authenticatorId, proof.step],
        )
      : yield* selectFirst(
          'DELETE FROM recovery_codes WHERE account_id = ? AND digest = ? RETURNING digest',
          ...[accountId, proof.recoveryDigest],
        );
  return spent !== undefined;
}

/**
 * Ends the second step with a new session. `wrong`: the proof does not count, or counted before; the sign-in continues to wait. `gone`: the
 * sign-in does not wait any more. Of concurrent uses of a code, or of a waiting sign-in, only one succeeds.
 */
export const passPendingSignIn: StoreOperation<PassPendingArgs, 'passed' | 'wrong' | 'gone'> = {
  name: 'pendingSignIns.pass',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, digest, proof, session, visit, now }) {
    const waiting = yield* selectFirst(
      'SELECT digest FROM pending_sign_ins WHERE account_id = ? AND digest = ? AND expires_at > ? FOR UPDATE',
      ...[accountId, digest, now],
    );
    if (!waiting) return 'gone';
    if (!(yield* spend(accountId, proof))) return 'wrong';
    yield* selectFirst('DELETE FROM pending_sign_ins WHERE account_id = ? AND digest = ? RETURNING digest', accountId, digest);
    yield* createSession.run(session);
    const event = { accountId, atMs: now, actor: 'browser', detail: visit };
    yield [
      ...('step' in proof ? [] : [noteSecurityEvent({ ...event, kind: 'recovery_code_used' })]),
      noteSecurityEvent({ ...event, kind: 'signed_in' }),
    ];
    return 'passed';
  },
};

/** Deletes sign-ins whose second step did not come, at most `limit` at once; returns their number. */
export const deleteExpiredPendingSignIns: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'pendingSignIns.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'pending_sign_ins', key: 'account_id, digest', where: 'expires_at <= ?', limit };
    return yield* deleteSome(from, now);
  },
};
