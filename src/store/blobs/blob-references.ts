import {
  type StoreOperation,
  placeholders,
  type Script,
  selectAll,
  selectFirst,
  type Statement,
  sql,
} from '../db/store-operation.ts';
import { isBackupRunning } from '../db/backup-hold.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import { changeStorageUse } from './storage-use.ts';

const blobRow = tableCodec('blobs', { account_id: text, id: text, bytes: nullable(integer) });
const { read: readKey } = blobRow.pick('account_id, id as blobId');

/** A blob is only found together with its account. */
export interface BlobKey {
  accountId: string;
  blobId: string;
}

/** The owner of a reference, as one string: the blob stays until all owners have released it. */
export type BlobOwner =
  | `task:${string}`
  | `file:${string}`
  | `artifact:${string}`
  | `website:${string}`
  | `workspace:${string}`
  | `schedule:${string}`
  | `setup:${string}`
  | `brand:${string}`;

/** Announces a blob before its first byte is stored; if nothing references it within `graceMs`, it is swept. */
export const expectBlob: StoreOperation<BlobKey & { graceMs: number }, null> = {
  name: 'blobs.expect',
  access: 'write',
  keys: ({ blobId }) => [blobId],
  *run({ accountId, blobId, graceMs }) {
    yield [sql('INSERT INTO blobs (account_id, id, sweep_at) VALUES (?, ?, errand_now() + ?)', accountId, blobId, graceMs)];
    return null;
  },
};

/**
 * Part of a write: adds references of `owner` to these blobs. False if one is deleted or being deleted; the write must then fail. The row
 * lock decides between this and the sweeper.
 */
export function* addBlobReferences(accountId: string, blobIds: readonly string[], owner: BlobOwner): Script<boolean> {
  // A fixed order, so that two writes with the same blobs never deadlock.
  const ids = [...new Set(blobIds)].toSorted();
  if (ids.length === 0) return true;
  const kept = yield ids.map((id) =>
    sql(
      `UPDATE blobs SET sweep_at = NULL WHERE account_id = ? AND id = ? AND (sweep_at IS NULL OR sweep_at > 0) RETURNING id`,
      accountId,
      id,
    ),
  );
  if (kept.some((rows) => rows.length === 0)) return false;
  yield ids.map((id) =>
    sql('INSERT INTO blob_refs (account_id, blob_id, owner) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', accountId, id, owner),
  );
  return true;
}

/** Part of a write: drops all references of `owner`. Blobs without references are deleted by the next sweep. */
export function releaseBlobs(accountId: string, owner: BlobOwner): Statement[] {
  return [
    sql(
      `UPDATE blobs SET sweep_at = errand_now() WHERE account_id = ? AND (sweep_at IS NULL OR sweep_at > 0)
       AND id IN (SELECT blob_id FROM blob_refs WHERE account_id = ? AND owner = ?)`,
      accountId,
      accountId,
      owner,
    ),
    sql('DELETE FROM blob_refs WHERE account_id = ? AND owner = ?', accountId, owner),
  ];
}

/** Part of a write: drops a blob that was announced but will not be referenced. */
export function dropBlob(accountId: string, blobId: string): Statement {
  return sql('UPDATE blobs SET sweep_at = errand_now() WHERE account_id = ? AND id = ? AND sweep_at > 0', accountId, blobId);
}

/** Drops a blob that was announced, unless something references it by now. */
export const deleteUnusedBlob: StoreOperation<BlobKey, void> = {
  name: 'blobs.deleteUnused',
  access: 'write',
  *run({ accountId, blobId }) {
    yield [dropBlob(accountId, blobId)];
  },
};

/** Rows for these blobs, as a list for `IN`. */
function rowsOf(blobs: readonly BlobKey[]) {
  return {
    list: `(account_id, id) IN (VALUES ${placeholders(blobs.length, 2)})`,
    params: blobs.flatMap(({ accountId, blobId }) => [accountId, blobId]),
  };
}

const isHeld = 'EXISTS (SELECT 1 FROM blob_refs r WHERE r.account_id = blobs.account_id AND r.blob_id = blobs.id)';

/** Whether a blob may still be read: not after its last reference was dropped, even if its bytes are deleted later. */
export const isBlobNeeded: StoreOperation<BlobKey, boolean> = {
  name: 'blobs.isNeeded',
  access: 'read',
  *run({ accountId, blobId }) {
    const row = yield* selectFirst(
      `SELECT 1 AS found FROM blobs WHERE account_id = ? AND id = ? AND (sweep_at IS NULL OR sweep_at > errand_now() OR ${isHeld})`,
      accountId,
      blobId,
    );
    return row !== undefined;
  },
};

/** Marks up to `limit` unreferenced blobs as deleted and returns them; none while a backup runs. The caller deletes their bytes, then their records. */
export const takeUnneededBlobs: StoreOperation<{ limit: number }, BlobKey[]> = {
  name: 'blobs.takeUnneeded',
  access: 'exclusive',
  *run({ limit }) {
    const due = yield* selectAll(
      'SELECT account_id, id FROM blobs WHERE sweep_at <= errand_now() ORDER BY sweep_at LIMIT ? FOR UPDATE SKIP LOCKED',
      limit,
    );
    if (due.length === 0) return [];
    const { list, params } = rowsOf(due.map(readKey));
    const [, taken = []] = yield [
      sql(`UPDATE blobs SET sweep_at = NULL WHERE ${list} AND sweep_at > 0 AND ${isHeld}`, ...params),
      // Checked here rather than when selecting the rows: this statement sees every backup whose snapshot may still contain a reference.
      sql(
        `UPDATE blobs SET sweep_at = 0 WHERE ${list} AND NOT ${isHeld} AND NOT ${isBackupRunning} RETURNING account_id, id`,
        ...params,
      ),
    ];
    return taken.map(readKey);
  },
};

/** Called after their bytes are deleted. */
export const deleteBlobRecords: StoreOperation<{ blobs: readonly BlobKey[] }, null> = {
  name: 'blobs.deleteRecords',
  access: 'exclusive',
  *run({ blobs }) {
    if (blobs.length === 0) return null;
    const { list, params } = rowsOf(blobs);
    // In a fixed order, so that two sweepers never deadlock.
    for (const accountId of new Set(blobs.map((blob) => blob.accountId)).values().toArray().toSorted()) {
      yield* changeStorageUse(accountId, {});
    }
    const gone = yield* selectAll(`DELETE FROM blobs WHERE ${list} AND sweep_at = 0 RETURNING account_id, bytes`, ...params);
    const counted = gone.filter((row) => blobRow.bytes(row) !== null);
    for (const [accountId, rows] of Map.groupBy(counted, blobRow.account_id)) {
      const bytes = rows.reduce((sum, row) => sum + (blobRow.bytes(row) ?? 0), 0);
      yield* changeStorageUse(accountId, { blobs: { bytes: -bytes, files: -rows.length } });
    }
    return null;
  },
};

/** Blobs that no counter includes yet, because an earlier release stored them. */
export const findUnmeasuredBlobs: StoreOperation<{ limit: number }, BlobKey[]> = {
  name: 'blobs.findUnmeasured',
  access: 'read',
  *run({ limit }) {
    const rows = yield* selectAll('SELECT account_id, id FROM blobs WHERE bytes IS NULL AND sweep_at IS NULL LIMIT ?', limit);
    return rows.map(readKey);
  },
};
