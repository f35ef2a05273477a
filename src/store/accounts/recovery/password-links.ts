import { Fault } from '@errand/base/fault.ts';
import { instanceRecord } from '../../../rules/accounts/security-event.ts';
import { deleteSome, insertRow, type StoreOperation, selectFirst } from '../../db/store-operation.ts';
import { accountRow } from '../../db/shared-rows.ts';
import { writePassword } from '../account-passwords.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { endSessions } from '../sessions.ts';

/** The storage key of a link that sets a password. */
export interface PasswordLinkKey {
  accountId: string;
  /** Digest of the token, which only the receiver of the link has. */
  digest: string;
}

export interface CreatePasswordLinkArgs extends PasswordLinkKey {
  /** Milliseconds since the epoch. */
  expiresAtMs: number;
  /** Whether somebody made it who administers the instance; it is then in the record of the instance as well. */
  isForInstance: boolean;
  /** The caller who asked for the link, in the form of `actorOf`. */
  actor: string;
  detail: Readonly<Record<string, string>>;
  now: number;
}

/**
 * Stores a link that sets the password of an account. Links from before stay valid until they expire, so that nobody who asks for one can
 * spoil that of the owner. 412 for an account that is not active.
 */
export const createPasswordLink: StoreOperation<CreatePasswordLinkArgs, null> = {
  name: 'passwordLinks.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, digest, expiresAtMs, isForInstance, actor, detail, now }) {
    const owner = yield* selectFirst('SELECT status FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    if (!owner) throw new Fault('not_found', 'account not found');
    if (accountRow.status(owner) !== 'active') {
      throw new Fault('failed_precondition', 'This account is not active; enable it first.');
    }
    const event = { atMs: now, kind: 'password_link_created' as const, actor };
    yield [
      insertRow('password_links', { account_id: accountId, digest, expires_at: expiresAtMs }),
      noteSecurityEvent({ ...event, accountId, detail }),
      ...(isForInstance
        ? [noteSecurityEvent({ ...event, accountId: instanceRecord, detail: { ...detail, account_id: accountId } })]
        : []),
    ];
    return null;
  },
};

/** The account of a link that can be used now; null for one that is used, expired, or unknown, and while its account is not active. */
export const findPasswordLink: StoreOperation<PasswordLinkKey & { now: number }, { email: string; locale: string } | null> = {
  name: 'passwordLinks.find',
  access: 'read',
  *run({ accountId, digest, now }) {
    const row = yield* selectFirst(
      `SELECT a.email, a.locale FROM password_links l JOIN accounts a ON a.account_id = l.account_id
       WHERE l.account_id = ? AND l.digest = ? AND l.expires_at > ? AND a.status = 'active'`,
      accountId,
      digest,
      now,
    );
    return row ? { email: accountRow.email(row), locale: accountRow.locale(row) } : null;
  },
};

export interface UsePasswordLinkArgs extends PasswordLinkKey {
  /** The new password as returned by `Passwords.hash`. */
  hash: string;
  /** Browser and client address, for the security record. */
  visit: Readonly<Record<string, string>>;
  now: number;
}

/**
 * Sets the password of an account by a link, and signs it out everywhere; false if the link cannot be used any more. Of concurrent uses,
 * only one succeeds: the new password voids all links of the account.
 */
export const consumePasswordLink: StoreOperation<UsePasswordLinkArgs, boolean> = {
  name: 'passwordLinks.consume',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, digest, hash, visit, now }) {
    const used = yield* selectFirst(
      'DELETE FROM password_links WHERE account_id = ? AND digest = ? AND expires_at > ? RETURNING digest',
      accountId,
      digest,
      now,
    );
    if (!used) return false;
    yield* writePassword({ accountId, hash, now, actor: 'browser', detail: { ...visit, by: 'link' } });
    yield* endSessions(accountId, { exceptSessionId: null }, { actor: 'browser', now });
    return true;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Deletes expired links, at most `limit` at once; returns their number. */
export const deleteExpiredPasswordLinks: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'passwordLinks.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'password_links', key: 'account_id, digest', where: 'expires_at <= ?', limit };
    return yield* deleteSome(from, now);
  },
};
