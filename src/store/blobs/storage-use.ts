import type { StorageQuotas } from '../../rules/accounts/account-status.ts';
import { addUse, isAbove, limitOf, noUse, type StorageUse } from '../../rules/files/storage-quota.ts';
import { integer, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';
import { findRow, lockRow, type Row, type Script, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';

const storageUse = tableCodec('storage_use', {
  account_id: text,
  blob_bytes: integer,
  blobs: integer,
  workspace_bytes: integer,
  workspace_files: integer,
  packed_workspaces: integer,
  packed_bytes: integer,
});
const workspaceUse = tableCodec('workspace_use', { account_id: text, task_id: text, bytes: integer, files: integer });
const { read: readQuotas } = accountRow.pick('max_bytes, max_files');

/** The storage counted for a workspace; none without a row. */
function readUse(row: Row | undefined): StorageUse {
  return row ? { bytes: workspaceUse.bytes(row), files: workspaceUse.files(row) } : noUse;
}

/** The row whose lock serializes changes to an account's storage use, as a name for `keys`. */
export function storageKey(accountId: string): string {
  return `storage:${accountId}`;
}

/** The storage used by an account, by kind. */
export interface AccountStorage {
  blobs: StorageUse;
  workspaces: StorageUse;
  /** The packed workspaces: their number, and the bytes of their archives, which are blobs. */
  packed: StorageUse;
  /** What the account has in place of the limits of the instance. */
  quotas: StorageQuotas;
}

/** The storage that counts towards the limit of an account. */
export function totalUse({ blobs, workspaces }: Pick<AccountStorage, 'blobs' | 'workspaces'>): StorageUse {
  return addUse(blobs, workspaces);
}

/** What is added to the storage used by an account, by kind; negative to take it away. */
export type StorageChange = Partial<Omit<AccountStorage, 'quotas'>>;

/** Part of a write: adds to the storage used by an account. */
export function* changeStorageUse(
  accountId: string,
  { blobs = noUse, workspaces = noUse, packed = noUse }: StorageChange,
): Script<void> {
  const values = [blobs, workspaces, packed].flatMap(({ bytes, files }) => [bytes, files]);
  yield [
    sql(
      `INSERT INTO storage_use (account_id, blob_bytes, blobs, workspace_bytes, workspace_files, packed_bytes, packed_workspaces)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE SET blob_bytes = storage_use.blob_bytes + excluded.blob_bytes,
       blobs = storage_use.blobs + excluded.blobs, workspace_bytes = storage_use.workspace_bytes + excluded.workspace_bytes,
       workspace_files = storage_use.workspace_files + excluded.workspace_files,
       packed_bytes = storage_use.packed_bytes + excluded.packed_bytes,
       packed_workspaces = storage_use.packed_workspaces + excluded.packed_workspaces`,
      accountId,
      ...values,
    ),
  ];
}

/** Reads the storage used by an account from a row. */
function* selectStorageUse(accountId: string): Script<AccountStorage> {
  const [[account] = [], [row] = []] = yield [
    sql('SELECT max_bytes, max_files FROM accounts WHERE account_id = ?', accountId),
    sql('SELECT * FROM storage_use WHERE account_id = ?', accountId),
  ];
  const quotas = account ? readQuotas(account) : { maxBytes: null, maxFiles: null };
  if (!row) return { blobs: noUse, workspaces: noUse, packed: noUse, quotas };
  return {
    quotas,
    blobs: { bytes: storageUse.blob_bytes(row), files: storageUse.blobs(row) },
    workspaces: { bytes: storageUse.workspace_bytes(row), files: storageUse.workspace_files(row) },
    packed: { bytes: storageUse.packed_bytes(row), files: storageUse.packed_workspaces(row) },
  };
}

/** The storage used by an account. */
export const readStorageUse: StoreOperation<{ accountId: string }, AccountStorage> = {
  name: 'storage.read',
  access: 'read',
  *run({ accountId }) {
    return yield* selectStorageUse(accountId);
  },
};

export interface RecordBlobArgs extends StorageUse {
  accountId: string;
  blobId: string;
  /** The limit of accounts without quotas of their own; null to store the blob regardless. */
  limit: StorageUse | null;
}

/** Counts a blob whose bytes are durable. False if it exceeds the account's limit; the blob is then swept. */
export const recordBlob: StoreOperation<Omit<RecordBlobArgs, 'files'>, boolean> = {
  name: 'storage.recordBlob',
  access: 'write',
  keys: ({ accountId, blobId }) => [blobId, storageKey(accountId)],
  *run({ accountId, blobId, bytes, limit }) {
    const [counted] = yield* selectAll(
      'UPDATE blobs SET bytes = ? WHERE account_id = ? AND id = ? AND bytes IS NULL RETURNING id',
      bytes,
      accountId,
      blobId,
    );
    // Already counted, or already swept; in that case, the write that refers to it fails.
    if (!counted) return true;
    yield* changeStorageUse(accountId, { blobs: { bytes, files: 1 } });
    if (limit === null) return true;
    const storage = yield* selectStorageUse(accountId);
    if (!isAbove(totalUse(storage), limitOf(limit, storage.quotas))) return true;
    yield [sql('UPDATE blobs SET sweep_at = errand_now() WHERE account_id = ? AND id = ? AND sweep_at > 0', accountId, blobId)];
    return false;
  },
};

export interface WorkspaceUseArgs extends StorageUse {
  accountId: string;
  taskId: string;
}

/** Replaces the storage counted for a task's workspace; an empty one has no row. Returns the account's storage use afterwards. */
export const recordWorkspaceUse: StoreOperation<WorkspaceUseArgs, AccountStorage> = {
  name: 'storage.recordWorkspace',
  access: 'write',
  keys: ({ accountId }) => [storageKey(accountId)],
  *run({ accountId, taskId, bytes, files }) {
    // Locks the account's row first.
    yield* changeStorageUse(accountId, {});
    const before = readUse(yield* lockRow('bytes, files', 'workspace_use', { account_id: accountId, task_id: taskId }));
    yield [
      bytes === 0 && files === 0
        ? sql('DELETE FROM workspace_use WHERE account_id = ? AND task_id = ?', accountId, taskId)
        : sql(
            `INSERT INTO workspace_use (account_id, task_id, bytes, files) VALUES (?, ?, ?, ?)
             ON CONFLICT (account_id, task_id) DO UPDATE SET bytes = excluded.bytes, files = excluded.files`,
            accountId,
            taskId,
            bytes,
            files,
          ),
    ];
    yield* changeStorageUse(accountId, { workspaces: { bytes: bytes - before.bytes, files: files - before.files } });
    return yield* selectStorageUse(accountId);
  },
};

/** The storage counted for a task's workspace, and that used by its account. */
export const readWorkspaceUse: StoreOperation<
  { accountId: string; taskId: string },
  { workspace: StorageUse; account: AccountStorage }
> = {
  name: 'storage.readWorkspace',
  access: 'read',
  *run({ accountId, taskId }) {
    const workspace = readUse(yield* findRow('bytes, files', 'workspace_use', { account_id: accountId, task_id: taskId }));
    return { workspace, account: yield* selectStorageUse(accountId) };
  },
};
