import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { checkPace, type Pace } from '@errand/base/load/gcra-limiter.ts';
import type { Database } from '../db/database.ts';
import { compareText, deleteSome, type StoreOperation, sql } from '../db/store-operation.ts';
import { integer, tableCodec } from '../db/row-codec.ts';
import { clockRow } from '../db/shared-rows.ts';

const attemptRow = tableCodec('attempts', { busy_until: integer });

/** A rate-limited attempt. */
export interface Attempt extends Pace {
  /** The key of the count. Only a digest of it is stored: it may contain what people typed into the wrong field. */
  name: string;
}

/** Counts an attempt for all names and returns 0; or counts nothing and returns the seconds to wait. */
export const takeAttempt: StoreOperation<readonly Attempt[], number> = {
  name: 'attempts.take',
  access: 'write',
  keys: (attempts) => attempts.map(({ name }) => `attempt ${digestSecret(name)}`).toSorted(),
  *run(attempts) {
    const named = attempts.map((attempt) => ({ ...attempt, digest: digestSecret(attempt.name) }));
    const sorted = named.toSorted((a, b) => compareText(a.digest, b.digest));
    let longestS = 0;
    const counted: { digest: string; busyUntilMs: number }[] = [];
    const rows = yield [
      ...sorted.map(({ digest }) =>
        sql('INSERT INTO attempts (name, busy_until) VALUES (?, errand_now()) ON CONFLICT DO NOTHING', digest),
      ),
      ...sorted.map(({ digest }) =>
        sql('SELECT busy_until, errand_now() AS now FROM attempts WHERE name = ? FOR UPDATE', digest),
      ),
    ];
    for (const [index, { digest, ...pace }] of sorted.entries()) {
      const row = rows[sorted.length + index]?.[0];
      if (!row) throw new Error('an attempt that was just counted is gone');
      const verdict = checkPace(pace, attemptRow.busy_until(row), clockRow.now(row));
      if ('waitS' in verdict) longestS = Math.max(longestS, verdict.waitS);
      else counted.push({ digest, busyUntilMs: verdict.busyUntilMs });
    }
    if (longestS > 0) return longestS;
    yield counted.map(({ digest, busyUntilMs }) => sql('UPDATE attempts SET busy_until = ? WHERE name = ?', busyUntilMs, digest));
    return 0;
  },
};

/** Resets the count of a name. */
export const clearAttempts: StoreOperation<string, null> = {
  name: 'attempts.clear',
  access: 'write',
  keys: (name) => [`attempt ${digestSecret(name)}`],
  *run(name) {
    yield [sql('DELETE FROM attempts WHERE name = ?', digestSecret(name))];
    return null;
  },
};

/** Deletes names whose count is back to zero, at most `limit` at once; returns their number. */
export const deleteExpiredAttempts: StoreOperation<{ limit: number }, number> = {
  name: 'attempts.deleteExpired',
  access: 'exclusive',
  *run({ limit }) {
    const from = { table: 'attempts', key: 'name', where: 'busy_until < errand_now()', limit };
    return yield* deleteSome(from);
  },
};

/** Attempts at the password of an account by somebody already signed in to it. */
export interface PasswordPace {
  /** Counts one and returns 0; or returns the seconds to wait. */
  take(accountId: string): Promise<number>;
  clear(accountId: string): Promise<unknown>;
}

const passwordPace: Pace = { count: 10, windowMs: 15 * 60 * 1000 };

/** One count shared by all processes and all pages that ask for a password. */
export function createPasswordPace(database: Pick<Database, 'run'>): PasswordPace {
  const nameOf = (accountId: string) => `password ${accountId}`;
  return {
    take: (accountId) => database.run(takeAttempt, [{ name: nameOf(accountId), ...passwordPace }]),
    clear: (accountId) => database.run(clearAttempts, nameOf(accountId)),
  };
}
