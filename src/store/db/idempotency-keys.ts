import { Fault, invalidField } from '@errand/base/fault.ts';
import type { IdempotencyKey, Remembered } from './database.ts';
import { deleteSome, findRow, type Row, type Script, selectFirst, sql, type StoreOperation } from './store-operation.ts';
import { json, tableCodec, text } from './row-codec.ts';

const keyRow = tableCodec('idempotency_keys', { used_for: text, result: json<unknown>() });

/** How long a key is stored. */
export const idempotencyTtlMs = 24 * 60 * 60 * 1000;

/** The steps of a script that more statements follow: none of them is the last one. */
function* goOn<Result>(script: Script<Result>): Script<Result> {
  let step = script.next([]);
  while (!step.done) step = script.next(yield [...step.value]);
  return step.value;
}

function useOf({ operation, bodyDigest }: IdempotencyKey): string {
  return `${operation} ${bodyDigest}`;
}

/** The result that is stored in a row of this use; 400 if the row is of another request. */
function resultOf(row: Row, use: string): unknown {
  if (keyRow.used_for(row) !== use) {
    throw invalidField('Idempotency-Key', 'already used with another request; use a new key for a new request.');
  }
  return keyRow.result(row);
}

/** Wraps a write so that its key and result are committed together with it, or not at all. */
export function* runRemembered<Args, Result>(
  operation: StoreOperation<Args, Result>,
  args: Args,
  idempotency: IdempotencyKey,
): Script<Remembered<Result>> {
  const { accountId, key, now } = idempotency;
  const use = useOf(idempotency);
  const [, inserted] = yield [
    sql(
      'DELETE FROM idempotency_keys WHERE account_id = ? AND key = ? AND created_at <= ?',
      accountId,
      key,
      now - idempotencyTtlMs,
    ),
    sql(
      `INSERT INTO idempotency_keys (account_id, key, used_for, result, created_at) VALUES (?, ?, ?, '', ?)
       ON CONFLICT (account_id, key) DO NOTHING RETURNING key`,
      accountId,
      key,
      use,
      now,
    ),
  ];
  if (inserted?.length === 1) {
    const result = yield* goOn(operation.run(args));
    yield [
      sql(
        'UPDATE idempotency_keys SET result = ? WHERE account_id = ? AND key = ?',
        JSON.stringify(result ?? null),
        accountId,
        key,
      ),
    ];
    return { result, isReplay: false };
  }
  const earlier = yield* findRow('used_for, result', 'idempotency_keys', { account_id: accountId, key });
  if (!earlier) throw new Fault('conflict', 'Idempotency-Key: still in use by another request; try again.');
  return { result: resultOf(earlier, use) as Result, isReplay: true };
}

/** The result of an earlier request with this key; null if there is none yet. 400 if it was another request. */
export const findRemembered: StoreOperation<IdempotencyKey, { result: unknown } | null> = {
  name: 'idempotency.find',
  access: 'read',
  *run(idempotency) {
    const { accountId, key, now } = idempotency;
    const row = yield* selectFirst(
      'SELECT used_for, result FROM idempotency_keys WHERE account_id = ? AND key = ? AND created_at > ?',
      accountId,
      key,
      now - idempotencyTtlMs,
    );
    return row ? { result: resultOf(row, useOf(idempotency)) } : null;
  },
};

/** Deletes keys older than a day, at most `limit` at once; returns their number. */
export const deleteExpiredKeys: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'idempotency.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'idempotency_keys', key: 'account_id, key', where: 'created_at <= ?', limit };
    return yield* deleteSome(from, now - idempotencyTtlMs);
  },
};
