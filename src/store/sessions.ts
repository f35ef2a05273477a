import type { Plan } from '../rules/access.ts';
import { type Operation, selectAll, selectFirst, sql } from './db/operation.ts';

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
  now: number;
  expiresAtMs: number;
}

export const createSession: Operation<CreateSessionArgs, null> = {
  name: 'sessions.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId, digest, now, expiresAtMs }) {
    yield [
      sql(
        'INSERT INTO sessions (account_id, id, digest, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
        accountId,
        sessionId,
        digest,
        now,
        expiresAtMs,
      ),
    ];
    return null;
  },
};

/** The session with this digest, or null. It may have expired; the caller has the clock. */
export const findSession: Operation<SessionPlace & { digest: string }, Session | null> = {
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
    if (!row) return null;
    return {
      accountId,
      sessionId,
      email: String(row.email),
      plan: row.plan as Plan,
      locale: String(row.locale),
      expiresAtMs: Number(row.expires_at),
    };
  },
};

/** Signs out at one browser. */
export const endSession: Operation<SessionPlace, null> = {
  name: 'sessions.end',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId }) {
    yield [sql('DELETE FROM sessions WHERE account_id = ? AND id = ?', accountId, sessionId)];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Signs out everywhere but at the browser of `exceptSessionId`; how many there were. */
export const endOtherSessions: Operation<{ accountId: string; exceptSessionId: string | null }, number> = {
  name: 'sessions.endOthers',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, exceptSessionId }) {
    const gone = yield* selectAll(
      'DELETE FROM sessions WHERE account_id = ? AND id <> ? RETURNING id',
      accountId,
      exceptSessionId ?? '',
    );
    return gone.length;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Forgets sessions that have run out, at most `limit` at once; how many there were. */
export const forgetSessions: Operation<{ now: number; limit: number }, number> = {
  name: 'sessions.forget',
  access: 'alone',
  *run({ now, limit }) {
    const gone = yield* selectAll(
      `DELETE FROM sessions WHERE (account_id, id) IN
         (SELECT account_id, id FROM sessions WHERE expires_at <= ? LIMIT ?) RETURNING id`,
      now,
      limit,
    );
    return gone.length;
  },
};
