import type { Plan } from '../../rules/accounts/access.ts';
import type { AccountStatus } from '../../rules/accounts/account-status.ts';
import {
  compareText,
  deleteSome,
  insertRow,
  type StoreOperation,
  type Script,
  selectAll,
  selectFirst,
  sql,
} from '../db/store-operation.ts';
import { deleteOtherSubscriptions, deleteSubscriptionsOf } from '../notifications/push-subscriptions.ts';
import { noteSecurityEvent } from './security-events.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';

const sessionRow = tableCodec('sessions', {
  id: text,
  browser: nullable(text),
  address: nullable(text),
  last_used_at: nullable(integer),
  created_at: integer,
  expires_at: integer,
});
const { read: readOwner } = accountRow.pick('email, plan, locale, status, is_instance_owner');

/** Key of a session; the cookie carries both ids and a secret. */
export interface SessionPlace {
  accountId: string;
  sessionId: string;
}

/** A person signed in with one browser. */
export interface Session extends SessionPlace {
  email: string;
  plan: Plan;
  locale: string;
  status: AccountStatus;
  expiresAtMs: number;
  /** Whether it administers the instance. */
  isInstanceOwner: boolean;
}

export interface CreateSessionArgs extends SessionPlace {
  digest: string;
  /** Display name of the browser; null if unknown. */
  browser?: string | null;
  /** The network address of the browser; null if unknown. */
  address?: string | null;
  now: number;
  expiresAtMs: number;
}

export const createSession: StoreOperation<CreateSessionArgs, null> = {
  name: 'sessions.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId: id, digest, browser = null, address = null, now, expiresAtMs }) {
    const values = { account_id: accountId, id, digest, browser, address, created_at: now, expires_at: expiresAtMs };
    yield [insertRow('sessions', values)];
    return null;
  },
};

/** The session with this digest, or null. It may have expired; the caller compares the time. */
export const findSession: StoreOperation<SessionPlace & { digest: string }, Session | null> = {
  name: 'sessions.find',
  access: 'read',
  *run({ accountId, sessionId, digest }) {
    const row = yield* selectFirst(
      `SELECT a.email, a.plan, a.locale, a.status, a.is_instance_owner, s.expires_at
       FROM sessions s JOIN accounts a ON a.account_id = s.account_id
       WHERE s.account_id = ? AND s.id = ? AND s.digest = ?`,
      accountId,
      sessionId,
      digest,
    );
    if (!row) return null;
    return { accountId, sessionId, ...readOwner(row), expiresAtMs: sessionRow.expires_at(row) };
  },
};

/** Ends a session that was replaced by another in the same browser. */
export const endSession: StoreOperation<SessionPlace, null> = {
  name: 'sessions.end',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId }) {
    yield [
      sql('DELETE FROM sessions WHERE account_id = ? AND id = ?', accountId, sessionId),
      deleteSubscriptionsOf(accountId, sessionId),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** A browser with which an account is signed in. */
export interface SessionRecord {
  id: string;
  browser: string | null;
  /** Where it signed in from; null if unknown. */
  address: string | null;
  /** Rounded to a quarter of an hour; null until that has passed. */
  lastUsedAtMs: number | null;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Maximum number listed; people have a handful. */
const maxListed = 100;

/** Sessions of an account, most recently used first. */
export const listSessions: StoreOperation<{ accountId: string; now: number }, SessionRecord[]> = {
  name: 'sessions.list',
  access: 'read',
  *run({ accountId, now }) {
    const rows = yield* selectAll(
      `SELECT ${sessionRow.columns} FROM sessions WHERE account_id = ? AND expires_at > ? ORDER BY id DESC LIMIT ?`,
      accountId,
      now,
      maxListed,
    );
    return rows.map(sessionRow.read);
  },
};

/** Records that sessions were used. */
export const touchSessions: StoreOperation<{ now: number; used: readonly SessionPlace[] }, null> = {
  name: 'sessions.touch',
  access: 'write',
  keys: ({ used }) => used.map(({ accountId }) => accountId),
  *run({ now, used }) {
    // A fixed order prevents deadlocks between processes.
    const sorted = used.toSorted((a, b) => compareText(a.sessionId, b.sessionId));
    yield sorted.map(({ accountId, sessionId }) =>
      sql('UPDATE sessions SET last_used_at = ? WHERE account_id = ? AND id = ?', now, accountId, sessionId),
    );
    return null;
  },
};

/** One session of the account, or all except one (null: all). */
export type SessionChoice = { sessionId: string } | { exceptSessionId: string | null };

/** Ends sessions and records it; returns their number. */
export function* endSessions(accountId: string, choice: SessionChoice, by: { actor: string; now: number }): Script<number> {
  const isOne = 'sessionId' in choice;
  const gone = yield* selectAll(
    `DELETE FROM sessions WHERE account_id = ? AND id ${isOne ? '=' : '<>'} ? RETURNING id`,
    accountId,
    isOne ? choice.sessionId : (choice.exceptSessionId ?? ''),
  );
  if (gone.length === 0) return 0;
  yield [
    isOne
      ? deleteSubscriptionsOf(accountId, choice.sessionId)
      : deleteOtherSubscriptions(accountId, choice.exceptSessionId ?? ''),
  ];
  const detail = { sessions: String(gone.length) };
  yield [noteSecurityEvent({ accountId, atMs: by.now, kind: 'signed_out', actor: by.actor, detail })];
  return gone.length;
}

export interface SignOutArgs {
  accountId: string;
  choice: SessionChoice;
  /** The caller who ends the session, in the form of `actorOf`. */
  actor: string;
  now: number;
}

/** Signs an account out of browsers; returns the number of sessions ended. */
export const signOut: StoreOperation<SignOutArgs, number> = {
  name: 'sessions.signOut',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, choice, ...by }) {
    return yield* endSessions(accountId, choice, by);
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Deletes expired sessions, at most `limit` at once; returns their number. */
export const deleteExpiredSessions: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'sessions.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'sessions', key: 'account_id, id', where: 'expires_at <= ?', limit };
    return yield* deleteSome(from, now);
  },
};
