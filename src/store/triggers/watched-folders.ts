import { computedCodec, integer, nullable, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';
import { marks, type Script, selectAll, selectFirst, selectOne, type StoreOperation } from '../db/store-operation.ts';
import { type LookKey, type TriggerKey, triggerReader, triggerRow, type TriggerType } from './trigger-row.ts';
import type { FoundTrigger } from './triggers.ts';

/** Columns of triggers that are null for those of other kinds, never for a watched folder or bucket. */
const lookRow = computedCodec('a watched place', {
  look_at: integer,
  seen_at: integer,
  seen_name: text,
  watch_failures: nullable(integer),
});

/** A folder or bucket that a worker looks at now. */
export interface Look {
  trigger: FoundTrigger;
  /** The end of the lease, which proves that the look is still this worker's. */
  lookAtMs: number;
  /** When the newest file that was taken has changed, and its name. For a bucket: objects from before this time start nothing. */
  seenAtMs: number;
  seenName: string;
  /** Looks at a bucket that have failed in a row. */
  failures: number;
}

function* takeLook({ accountId, triggerId }: TriggerKey, leaseMs: number): Script<Look> {
  const row = yield* selectOne(
    `UPDATE triggers SET look_at = errand_now() + ? WHERE account_id = ? AND id = ?
     RETURNING ${triggerReader.columns}, look_at, seen_at, seen_name, watch_failures`,
    ...[leaseMs, accountId, triggerId],
  );
  const account = yield* selectOne('SELECT plan, locale FROM accounts WHERE account_id = ?', accountId);
  const trigger = { ...triggerReader.read(row), plan: accountRow.plan(account), accountLocale: accountRow.locale(account) };
  const seen = { seenAtMs: lookRow.seen_at(row), seenName: lookRow.seen_name(row) };
  return { trigger, lookAtMs: lookRow.look_at(row), ...seen, failures: lookRow.watch_failures(row) ?? 0 };
}

export interface ClaimLooksArgs {
  type: Extract<TriggerType, 'folder' | 'bucket'>;
  slots: number;
  leaseMs: number;
  /** The account of each look that the worker has begun, and how many an account may have there. */
  busy: readonly string[];
  mostOfOne: number;
}

/** Takes watched folders or buckets that are due, each for one worker until its lease ends, few of an account at once. */
export const claimLooks: StoreOperation<ClaimLooksArgs, Look[]> = {
  name: 'triggers.claimLooks',
  access: 'exclusive',
  *run({ type, slots, leaseMs, busy, mostOfOne }) {
    const looksOf = (accountId: string) => begun.filter((id) => id === accountId).length;
    const begun = [...busy];
    const full = [...new Set(busy)].filter((accountId) => looksOf(accountId) >= mostOfOne);
    const due = yield* selectAll(
      `SELECT t.account_id, t.id FROM triggers t WHERE t.look_at <= errand_now() AND t.status = 'active' AND t.type = ?
         AND EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = t.account_id AND a.status = 'active')
         ${full.length === 0 ? '' : `AND t.account_id NOT IN (${marks(full.length)})`}
       ORDER BY t.look_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      ...[type, ...full, slots],
    );
    const looks: Look[] = [];
    for (const row of due) {
      const accountId = triggerRow.account_id(row);
      // The others are due when one of these has ended.
      if (looksOf(accountId) >= mostOfOne) continue;
      begun.push(accountId);
      looks.push(yield* takeLook({ accountId, triggerId: triggerRow.id(row) }, leaseMs));
    }
    return looks;
  },
};

export interface PassFileArgs extends LookKey {
  /** `updatedAtMs` of the trigger that the look began with. */
  knownAtMs: number;
  seenAtMs: number;
  seenName: string;
}

/**
 * Records the newest file that was taken; false if the look is no longer this worker's, or the trigger was changed meanwhile: a file that
 * it refused because it was paused has to be found again, also if it is active by now.
 */
export const passFile: StoreOperation<PassFileArgs, boolean> = {
  name: 'triggers.passFile',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, lookAtMs, knownAtMs, seenAtMs, seenName }) {
    const row = yield* selectFirst(
      `UPDATE triggers SET seen_at = ?, seen_name = ? WHERE account_id = ? AND id = ? AND look_at = ? AND updated_at = ?
       RETURNING id`,
      ...[seenAtMs, seenName, accountId, triggerId, lookAtMs, knownAtMs],
    );
    return row !== undefined;
  },
};

/** Ends a look: the next is due after this time. */
export const endLook: StoreOperation<LookKey & { waitMs: number; problem: string | null }, null> = {
  name: 'triggers.endLook',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, lookAtMs, waitMs, problem }) {
    yield* selectFirst(
      `UPDATE triggers SET look_at = errand_now() + ?, watch_problem = ? WHERE account_id = ? AND id = ? AND look_at = ? RETURNING id`,
      ...[waitMs, problem, accountId, triggerId, lookAtMs],
    );
    return null;
  },
};
