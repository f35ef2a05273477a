import type { Plan } from '../../rules/accounts/access.ts';
import { compareText, deleteSome, type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { noteSecurityEvent } from './security-events.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';

const sessionRow = tableCodec('sessions', {
  id: text,
  browser: nullable(text),
  last_used_at: nullable(integer),
  created_at: integer,
  expires_at: integer,
});
const { read: readOwner } = accountRow.pick('email, plan, locale');

/** Where a session is found; the cookie carries both ids and a secret. */
export interface SessionPlace {
  accountId: string;
  sessionId: string;
}

/** A person who is signed in at one browser. */
export interface Session extends SessionPlace {
  email: string;
  plan: Plan;
  locale: string;
  expiresAtMs: number;
}

export interface CreateSessionArgs extends SessionPlace {
  digest: string;
  /** What the browser is called; null where it says nothing that is known. */
  browser?: string | null;
  now: number;
  expiresAtMs: number;
}

export const createSession: StoreOperation<CreateSessionArgs, null> = {
  name: 'sessions.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId, digest, browser = null, now, expiresAtMs }) {
    yield [
      sql(
        'INSERT INTO sessions (account_id, id, digest, browser, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
        accountId,
        sessionId,
        digest,
        browser,
        now,
        expiresAtMs,
      ),
    ];
    return null;
  },
};

/** The session with this digest, or null. It may have expired; the caller has the clock. */
export const findSession: StoreOperation<SessionPlace & { digest: string }, Session | null> = {
  name: 'sessions.find',
  access: 'read',
  *run({ accountId, sessionId, digest }) {
    const row = yield* selectFirst(
      `SELECT a.email, a.plan, a.locale, s.expires_at FROM sessions s JOIN accounts a ON a.account_id = s.account_id
       WHERE s.account_id = ? AND s.id = ? AND s.digest = ?`,
      accountId,
      sessionId,
      digest,
    );
    return row ? { accountId, sessionId, ...readOwner(row), expiresAtMs: sessionRow.expires_at(row) } : null;
  },
};

/** Ends a session that another takes the place of at the same browser. */
export const endSession: StoreOperation<SessionPlace, null> = {
  name: 'sessions.end',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId }) {
    yield [sql('DELETE FROM sessions WHERE account_id = ? AND id = ?', accountId, sessionId)];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** A browser at which an account is signed in. */
export interface SessionRecord {
  id: string;
  browser: string | null;
  /** To a quarter of an hour; null while that has not passed. */
  lastUsedAtMs: number | null;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Most that are told; people have a handful. */
const maxListed = 100;

/** Where an account is signed in, the latest first. */
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

/** Writes down that sessions were used. */
export const touchSessions: StoreOperation<{ now: number; used: readonly SessionPlace[] }, null> = {
  name: 'sessions.touch',
  access: 'write',
  keys: ({ used }) => used.map(({ accountId }) => accountId),
  *run({ now, used }) {
    // In one order, so that two processes cannot wait for each other.
    const sorted = used.toSorted((a, b) => compareText(a.sessionId, b.sessionId));
    yield sorted.map(({ accountId, sessionId }) =>
      sql('UPDATE sessions SET last_used_at = ? WHERE account_id = ? AND id = ?', now, accountId, sessionId),
    );
    return null;
  },
};

/** One session of the account, or all but one (null: all). */
export type SessionChoice = { sessionId: string } | { exceptSessionId: string | null };

/** Ends sessions and writes down that they were; how many there were. */
export function* endSessions(accountId: string, choice: SessionChoice, by: { actor: string; now: number }): Script<number> {
  const isOne = 'sessionId' in choice;
  const gone = yield* selectAll(
    `DELETE FROM sessions WHERE account_id = ? AND id ${isOne ? '=' : '<>'} ? RETURNING id`,
    accountId,
    isOne ? choice.sessionId : (choice.exceptSessionId ?? ''),
  );
  if (gone.length === 0) return 0;
  const detail = { sessions: String(gone.length) };
  yield [noteSecurityEvent({ accountId, atMs: by.now, kind: 'signed_out', actor: by.actor, detail })];
  return gone.length;
}

export interface SignOutArgs {
  accountId: string;
  choice: SessionChoice;
  /** Who does it, as `actorOf` names callers. */
  actor: string;
  now: number;
}

/** Signs out at browsers of the account; how many there were. */
export const signOut: StoreOperation<SignOutArgs, number> = {
  name: 'sessions.signOut',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, choice, ...by }) {
    return yield* endSessions(accountId, choice, by);
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Deletes sessions that have run out, at most `limit` at once; how many there were. */
export const deleteExpiredSessions: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'sessions.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'sessions', key: 'account_id, id', where: 'expires_at <= ?', limit };
    return yield* deleteSome(from, now);
  },
};
