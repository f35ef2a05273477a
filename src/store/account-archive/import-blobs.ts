import { Fault } from '@errand/base/fault.ts';
import type { BlobKey } from '../blobs/blob-references.ts';
import { changeStorageUse } from '../blobs/storage-use.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { selectAll, selectFirst, sql, type StoreOperation } from '../db/store-operation.ts';

const { read: readBlob } = tableCodec('blobs', { id: text }).pick('id');

/**
 * Announces a file of an import before its first byte is stored, also if an import that was interrupted has left it: false then. Throws 503
 * while it is being removed.
 */
export const expectImportedBlob: StoreOperation<BlobKey & { graceMs: number }, boolean> = {
  name: 'accountArchives.expectBlob',
  access: 'write',
  keys: ({ blobId }) => [blobId],
  *run({ accountId, blobId, graceMs }) {
    const key = [accountId, blobId];
    const fresh = yield* selectFirst(
      `INSERT INTO blobs (account_id, id, sweep_at) VALUES (?, ?, errand_now() + ?) ON CONFLICT (account_id, id) DO NOTHING
       RETURNING id`,
      ...key,
      graceMs,
    );
    if (fresh) return true;
    const left = yield* selectFirst(
      'UPDATE blobs SET sweep_at = errand_now() + ? WHERE account_id = ? AND id = ? AND sweep_at > 0 RETURNING id',
      graceMs,
      ...key,
    );
    if (left) return false;
    throw new Fault('unavailable', 'Files of this account are still being removed here; try again in a minute.', {
      retryAfterS: 60,
    });
  },
};

/**
 * Marks the files of an import that failed as deleted and returns their ids; null if the account exists, which happens if only the answer
 * to its rows was lost. The caller deletes their bytes, then their records.
 */
export const takeImportedBlobs: StoreOperation<{ accountId: string }, string[] | null> = {
  name: 'accountArchives.takeBlobs',
  access: 'exclusive',
  *run({ accountId }) {
    // Rows that are being stored hold this lock until it is decided whether they are.
    yield* changeStorageUse(accountId, {});
    if (yield* selectFirst('SELECT 1 AS found FROM accounts WHERE account_id = ?', accountId)) return null;
    yield [sql('DELETE FROM workspace_use WHERE account_id = ?', accountId)];
    const taken = yield* selectAll('UPDATE blobs SET sweep_at = 0 WHERE account_id = ? AND sweep_at > 0 RETURNING id', accountId);
    return taken.map((row) => readBlob(row).id);
  },
};

/** Removes the records of these files, whose bytes are gone, and with the last of them what counts them. */
export const dropImportedBlobs: StoreOperation<{ accountId: string; blobIds: readonly string[] }, null> = {
  name: 'accountArchives.dropBlobs',
  access: 'exclusive',
  *run({ accountId, blobIds }) {
    const isThere = 'EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = ?)';
    for (const id of blobIds) {
      yield [
        sql(`DELETE FROM blobs WHERE account_id = ? AND id = ? AND sweep_at = 0 AND NOT ${isThere}`, accountId, id, accountId),
      ];
    }
    yield [
      sql(
        `DELETE FROM storage_use WHERE account_id = ? AND NOT ${isThere}
         AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.account_id = storage_use.account_id)`,
        accountId,
        accountId,
      ),
    ];
    return null;
  },
};
