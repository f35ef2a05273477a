import type { ObjectDigest } from '../../rules/triggers/watched-bucket.ts';
import { computedCodec, integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import {
  lockRow,
  marks,
  padToPowerOfTwo,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';
import type { LookKey, TriggerKey } from './trigger-row.ts';

/** `trigger_objects` */
const objectRow = tableCodec('trigger_objects', {
  account_id: text,
  trigger_id: text,
  digest: text,
  version: text,
  changed_at: nullable(integer),
});
const { read: readObject, columns } = objectRow.pick('digest, version, changed_at');

const lookEnd = computedCodec('the end of a look', { look_at: integer });

/** An object that starts nothing any more in this state. `changedAtMs` is when one was last changed that is to be deleted. */
export type SeenObject = ReturnType<typeof readObject>;

/** Whether the look is still this worker's; the trigger is locked until the transaction ends. */
export function* holdsLook({ accountId, triggerId, lookAtMs }: LookKey): Script<boolean> {
  return (yield* lockRow('id', 'triggers', { account_id: accountId, id: triggerId, look_at: lookAtMs })) !== undefined;
}

export function noteObject({ accountId, triggerId }: TriggerKey, { digest, version, changedAtMs }: SeenObject): Statement {
  return sql(
    `INSERT INTO trigger_objects (account_id, trigger_id, digest, version, changed_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, trigger_id, digest) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at`,
    ...[accountId, triggerId, digest, version, changedAtMs],
  );
}

/** Forgets what a trigger has seen. */
export function deleteSeenObjects({ accountId, triggerId }: TriggerKey): Statement {
  return sql('DELETE FROM trigger_objects WHERE account_id = ? AND trigger_id = ?', accountId, triggerId);
}

/** Which of these objects are known, in whatever state. */
export const findSeenObjects: StoreOperation<TriggerKey & { digests: readonly string[] }, SeenObject[]> = {
  name: 'triggers.findSeenObjects',
  access: 'read',
  *run({ accountId, triggerId, digests }) {
    if (digests.length === 0) return [];
    const padded = padToPowerOfTwo(digests);
    const rows = yield* selectAll(
      `SELECT ${columns} FROM trigger_objects WHERE account_id = ? AND trigger_id = ? AND digest IN (${marks(padded.length)})`,
      ...[accountId, triggerId, ...padded],
    );
    return rows.map(readObject);
  },
};

export interface PassObjectsArgs extends LookKey {
  /** `updatedAtMs` of the trigger that the look began with. */
  knownAtMs: number;
  objects: readonly ObjectDigest[];
}

/**
 * Records objects that start nothing; false if the look is no longer this worker's, or the trigger was changed meanwhile: an object that
 * it refused because it was paused has to be found again, also if it is active by now.
 */
export const passObjects: StoreOperation<PassObjectsArgs, boolean> = {
  name: 'triggers.passObjects',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, lookAtMs, knownAtMs, objects }) {
    const key = { account_id: accountId, id: triggerId, look_at: lookAtMs, updated_at: knownAtMs };
    if (!(yield* lockRow('id', 'triggers', key))) return false;
    yield objects.map((object) => noteObject({ accountId, triggerId }, { ...object, changedAtMs: null }));
    return true;
  },
};

/** A page of the digests of known objects, in their order. */
export const listSeenObjects: StoreOperation<TriggerKey & { after: string; limit: number }, string[]> = {
  name: 'triggers.listSeenObjects',
  access: 'read',
  *run({ accountId, triggerId, after, limit }) {
    const rows = yield* selectAll(
      'SELECT digest FROM trigger_objects WHERE account_id = ? AND trigger_id = ? AND digest > ? ORDER BY digest LIMIT ?',
      ...[accountId, triggerId, after, limit],
    );
    return rows.map((row) => objectRow.digest(row));
  },
};

/** Forgets objects that are gone; false if the look is no longer this worker's. */
export const deleteGoneObjects: StoreOperation<LookKey & { digests: readonly string[] }, boolean> = {
  name: 'triggers.deleteGoneObjects',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, lookAtMs, digests }) {
    if (!(yield* holdsLook({ accountId, triggerId, lookAtMs }))) return false;
    const padded = padToPowerOfTwo(digests);
    yield [
      sql(
        `DELETE FROM trigger_objects WHERE account_id = ? AND trigger_id = ? AND digest IN (${marks(padded.length)})`,
        ...[accountId, triggerId, ...padded],
      ),
    ];
    return true;
  },
};

/** Moves the end of a look's lease; returns the new one, or null if the look is no longer this worker's. */
export const renewLook: StoreOperation<LookKey & { leaseMs: number }, number | null> = {
  name: 'triggers.renewLook',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, lookAtMs, leaseMs }) {
    // Never the same time, which is what proves the lease.
    const row = yield* selectFirst(
      `UPDATE triggers SET look_at = CASE WHEN errand_now() + ? > look_at THEN errand_now() + ? ELSE look_at + 1 END
       WHERE account_id = ? AND id = ? AND look_at = ? RETURNING look_at`,
      ...[leaseMs, leaseMs, accountId, triggerId, lookAtMs],
    );
    return row ? lookEnd.look_at(row) : null;
  },
};

export interface EndBucketLookArgs extends LookKey {
  waitMs: number;
  problem: string | null;
  /** Looks that have failed in a row. */
  failures: number;
  /** Whether it saw the whole list: from then on every object that is not known is new. */
  isComplete: boolean;
}

/** Ends a look at a bucket: the next is due after this time. */
export const endBucketLook: StoreOperation<EndBucketLookArgs, null> = {
  name: 'triggers.endBucketLook',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, lookAtMs, waitMs, problem, failures, isComplete }) {
    yield* selectFirst(
      `UPDATE triggers SET look_at = errand_now() + ?, watch_problem = ?, watch_failures = ?${isComplete ? ', seen_at = 0' : ''}
       WHERE account_id = ? AND id = ? AND look_at = ? RETURNING id`,
      ...[waitMs, problem, failures, accountId, triggerId, lookAtMs],
    );
    return null;
  },
};
