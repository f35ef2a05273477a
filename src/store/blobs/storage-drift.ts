/**
 * The counters of what accounts store change in the transactions that store and delete. What crashes left uncounted is corrected here, in steps
 * that keep nobody waiting however much an account has: sums are read beside everything else, and only the difference is written.
 */
import { noUse } from '../../rules/files/storage-quota.ts';
import { computedCodec, integer, tableCodec, text } from '../db/row-codec.ts';
import { selectAll, selectFirst, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';
import { changeStorageUse, type StorageChange, storageKey } from './storage-use.ts';

const workspaceUse = tableCodec('workspace_use', { task_id: text });
const found = computedCodec('what a sum finds', { bytes: integer, files: integer });
const corrected = tableCodec('storage_use', { corrections: integer });

/** Files of an account above which they are summed up beside everything else. */
const manyFiles = 10_000;
const accountSize = computedCodec('sizes of accounts', { account_id: text, files: integer });

/** The account that follows `after`, and whether it has many files; null after the last account. */
export const findNextAccount: StoreOperation<{ after: string }, { accountId: string; isLarge: boolean } | null> = {
  name: 'storage.findNextAccount',
  access: 'read',
  *run({ after }) {
    const row = yield* selectFirst(
      `SELECT a.account_id, COALESCE(u.blobs + u.workspace_files, 0) AS files FROM accounts a
       LEFT JOIN storage_use u ON u.account_id = a.account_id WHERE a.account_id > ? ORDER BY a.account_id LIMIT 1`,
      after,
    );
    return row ? { accountId: accountSize.account_id(row), isLarge: accountSize.files(row) > manyFiles } : null;
  },
};

/** No longer counts workspaces of deleted tasks, among the next `limit` of an account; returns where to continue, null after the last one. */
export const deleteOrphanedUse: StoreOperation<{ accountId: string; after: string; limit: number }, string | null> = {
  name: 'storage.deleteOrphanedUse',
  access: 'exclusive',
  keys: ({ accountId }) => [storageKey(accountId)],
  *run({ accountId, after, limit }) {
    const rows = yield* selectAll(
      'SELECT task_id FROM workspace_use WHERE account_id = ? AND task_id > ? ORDER BY task_id LIMIT ?',
      accountId,
      after,
      limit,
    );
    const last = rows.at(-1);
    if (!last) return null;
    yield [
      sql(
        `DELETE FROM workspace_use WHERE account_id = ? AND task_id > ? AND task_id <= ? AND NOT EXISTS
         (SELECT 1 FROM tasks t WHERE t.account_id = workspace_use.account_id AND t.id = workspace_use.task_id)`,
        accountId,
        after,
        workspaceUse.task_id(last),
      ),
    ];
    return rows.length === limit ? workspaceUse.task_id(last) : null;
  },
};

/** What a sum finds beyond what is counted, in one statement: between two, an account could store something. */
function compareSum(sum: string, bytes: string, files: string, ...accountIds: string[]): Statement {
  return sql(
    `SELECT c.bytes - COALESCE(u.${bytes}, 0) AS bytes, c.files - COALESCE(u.${files}, 0) AS files FROM (${sum}) AS c
     LEFT JOIN storage_use u ON u.account_id = ?`,
    ...accountIds,
  );
}

/** How far what is counted of an account is from what it stores. */
interface MeasuredDrift {
  /** How much more it stores than is counted; less is negative. */
  drift: Required<StorageChange>;
  /** How many corrections there were before. */
  corrections: number;
}

/** Compares what is counted of an account with what it stores. */
export const measureDrift: StoreOperation<{ accountId: string; isLarge: boolean }, MeasuredDrift> = {
  name: 'storage.measureDrift',
  access: 'read',
  scans: ({ accountId, isLarge }) => (isLarge ? accountId : null),
  *run({ accountId }) {
    const [counted = [], ...sums] = yield [
      // Read first: a correction during the sums is then one too many.
      sql('SELECT corrections FROM storage_use WHERE account_id = ?', accountId),
      compareSum(
        'SELECT COALESCE(SUM(bytes), 0) AS bytes, COUNT(bytes) AS files FROM blobs WHERE account_id = ?',
        ...(['blob_bytes', 'blobs', accountId, accountId] as const),
      ),
      compareSum(
        `SELECT COALESCE(SUM(bytes), 0) AS bytes, COALESCE(SUM(files), 0) AS files FROM
         (SELECT bytes, files FROM workspace_use WHERE account_id = ?
          UNION ALL SELECT bytes, files FROM project_setups WHERE account_id = ?) AS counted`,
        ...(['workspace_bytes', 'workspace_files', accountId, accountId, accountId] as const),
      ),
      compareSum(
        `SELECT COALESCE(SUM(packed_bytes), 0) AS bytes, COUNT(*) AS files FROM workspace_saves
         WHERE account_id = ? AND packed_bytes IS NOT NULL`,
        ...(['packed_bytes', 'packed_workspaces', accountId, accountId] as const),
      ),
    ];
    const [blobs = noUse, workspaces = noUse, packed = noUse] = sums.flatMap((rows) => rows.map(found.read));
    return { drift: { blobs, workspaces, packed }, corrections: counted.map(corrected.corrections)[0] ?? 0 };
  },
};

/**
 * Counts more, or less, by what was found to differ. What the account has stored or deleted since is counted already. Does nothing if another
 * process has corrected it since, and for a deleted account.
 */
export const correctStorageUse: StoreOperation<MeasuredDrift & { accountId: string }, null> = {
  name: 'storage.correct',
  access: 'write',
  keys: ({ accountId }) => [storageKey(accountId)],
  *run({ accountId, drift, corrections }) {
    yield [
      sql(
        `INSERT INTO storage_use (account_id, blob_bytes, blobs, workspace_bytes, workspace_files)
         SELECT account_id, 0, 0, 0, 0 FROM accounts WHERE account_id = ? ON CONFLICT (account_id) DO NOTHING`,
        accountId,
      ),
    ];
    const isNewest = yield* selectFirst(
      'UPDATE storage_use SET corrections = corrections + 1 WHERE account_id = ? AND corrections = ? RETURNING corrections',
      accountId,
      corrections,
    );
    if (isNewest) yield* changeStorageUse(accountId, drift);
    return null;
  },
};
