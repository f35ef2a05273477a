import { Fault } from '@errand/base/fault.ts';
import { fileStatusAt, uploadLimits } from '../../rules/files/upload-policy.ts';
import { type BlobOwner, addBlobReferences, releaseBlobs } from '../blobs/blob-references.ts';
import {
  type StoreOperation,
  type Row,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type Statement,
} from '../db/store-operation.ts';

/** Where a file is kept, and within which rights it is looked for. */
export interface FileKey {
  accountId: string;
  fileId: string;
  /** Finds the file only if this application uploaded it; null or absent finds any of the account's. */
  onlyClientId?: string | null;
}

export interface FileRecord {
  fileId: string;
  filename: string;
  status: 'pending' | 'uploaded' | 'deleted';
  /** A MIME type; before the upload the one that the name promises. */
  contentType: string;
  /** Null until it is uploaded, and again when it is deleted. */
  stored: { blobId: string; bytes: number } | null;
  createdAtMs: number;
  /** Until when the upload may begin. */
  uploadEndsAtMs: number;
  expiresAtMs: number;
}

export function fileNotFound(): Fault {
  return new Fault('not_found', 'file not found');
}

const columns = 'id, filename, status, content_type, bytes, blob_id, created_at, upload_ends_at, expires_at';

function readFile(row: Row): FileRecord {
  return {
    fileId: String(row.id),
    filename: String(row.filename),
    status: row.status as FileRecord['status'],
    contentType: String(row.content_type),
    stored: row.blob_id === null ? null : { blobId: String(row.blob_id), bytes: Number(row.bytes) },
    createdAtMs: Number(row.created_at),
    uploadEndsAtMs: Number(row.upload_ends_at),
    expiresAtMs: Number(row.expires_at),
  };
}

function selectFile({ accountId, fileId, onlyClientId }: FileKey, lock = ''): Script<Row | undefined> {
  const bound = onlyClientId === null || onlyClientId === undefined ? [] : [onlyClientId];
  const condition = bound.length > 0 ? 'AND oauth_client_id = ?' : '';
  const text = `SELECT ${columns} FROM files WHERE account_id = ? AND id = ? ${condition} ${lock}`;
  return selectFirst(text.trimEnd(), accountId, fileId, ...bound);
}

/** Who the blob of a file is kept for. */
function ownerOf(fileId: string): BlobOwner {
  return `file:${fileId}`;
}

/** What the other files of the account take, as far as they are uploaded and not due to be deleted. */
const storedBytes = `SELECT COALESCE(SUM(bytes), 0) AS bytes FROM files
  WHERE account_id = ? AND status = 'uploaded' AND expires_at > ? AND id <> ?`;

export function quotaExceeded(): Fault {
  const gigabytes = uploadLimits.accountBytes / 1024 ** 3;
  return new Fault('resource_exhausted', `This account's uploads have reached ${gigabytes} GB; delete some first.`);
}

export interface CreateFileArgs {
  accountId: string;
  fileId: string;
  filename: string;
  contentType: string;
  oauthClientId: string | null;
  now: number;
}

/** A file that is still to be uploaded. Throws 429 where the account's quota is used up. */
export const createFile: StoreOperation<CreateFileArgs, FileRecord> = {
  name: 'files.create',
  access: 'write',
  *run({ accountId, fileId, filename, contentType, oauthClientId, now }) {
    const available = yield* selectFirst(storedBytes, accountId, now, fileId);
    if (Number(available?.bytes) >= uploadLimits.accountBytes) throw quotaExceeded();
    const row: Row = {
      account_id: accountId,
      id: fileId,
      filename,
      status: 'pending',
      content_type: contentType,
      bytes: null,
      blob_id: null,
      oauth_client_id: oauthClientId,
      created_at: now,
      upload_ends_at: now + uploadLimits.beginMs,
      expires_at: now + uploadLimits.keptMs,
    };
    const names = Object.keys(row);
    const text = `INSERT INTO files (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    yield [sql(text, ...Object.values(row))];
    return readFile(row);
  },
};

/** The caller's file, or a fault that does not tell a foreign file from a missing one. */
export const getFile: StoreOperation<FileKey, FileRecord> = {
  name: 'files.get',
  access: 'read',
  *run(key) {
    const row = yield* selectFile(key);
    if (!row) throw fileNotFound();
    return readFile(row);
  },
};

/** The newest files of an account, without those that are gone. */
export const listRecentFiles: StoreOperation<{ accountId: string; now: number; limit: number }, FileRecord[]> = {
  name: 'files.listRecent',
  access: 'read',
  *run({ accountId, now, limit }) {
    const rows = yield* selectAll(
      `SELECT ${columns} FROM files WHERE account_id = ? AND status <> 'deleted' AND expires_at > ? ORDER BY id DESC LIMIT ?`,
      accountId,
      now,
      limit,
    );
    return rows.map(readFile).filter((file) => fileStatusAt(file, now) !== 'error');
  },
};

/** Whose file is to be uploaded, how it is called, and how many bytes the account has left for it. */
export const prepareUpload: StoreOperation<FileKey & { now: number }, { file: FileRecord; bytesLeft: number }> = {
  name: 'files.prepareUpload',
  access: 'read',
  *run(key) {
    const { accountId, fileId, now } = key;
    const row = yield* selectFile(key);
    const stored = yield* selectFirst(storedBytes, accountId, now, fileId);
    if (!row || fileStatusAt(readFile(row), now) === 'deleted') throw fileNotFound();
    return { file: readFile(row), bytesLeft: uploadLimits.accountBytes - Number(stored?.bytes) };
  },
};

export interface CompleteUploadArgs {
  accountId: string;
  fileId: string;
  blobId: string;
  bytes: number;
  contentType: string;
  now: number;
}

/** Makes a durable blob the content of a file, in place of what an earlier upload to the same address brought. */
export const completeUpload: StoreOperation<CompleteUploadArgs, null> = {
  name: 'files.completeUpload',
  access: 'exclusive',
  *run({ accountId, fileId, blobId, bytes, contentType, now }) {
    // Uploads of an account come to their end one after another, so that none passes its limit unseen.
    yield* selectFirst('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    const row = yield* selectFile({ accountId, fileId }, 'FOR UPDATE');
    if (!row || fileStatusAt(readFile(row), now) === 'deleted') throw fileNotFound();
    const others = yield* selectFirst(storedBytes, accountId, now, fileId);
    if (Number(others?.bytes) + bytes > uploadLimits.accountBytes) throw quotaExceeded();
    yield releaseBlobs(accountId, ownerOf(fileId));
    if (!(yield* addBlobReferences(accountId, [blobId], ownerOf(fileId)))) throw fileNotFound();
    yield [
      sql(
        `UPDATE files SET status = 'uploaded', blob_id = ?, bytes = ?, content_type = ?, expires_at = ?
         WHERE account_id = ? AND id = ?`,
        blobId,
        bytes,
        contentType,
        now + uploadLimits.keptMs,
        accountId,
        fileId,
      ),
    ];
    return null;
  },
};

/** What is left of a file that was deleted: its name, for as long again as files are kept. */
function buryFile(accountId: string, fileId: string, now: number): Statement[] {
  return [
    ...releaseBlobs(accountId, ownerOf(fileId)),
    sql(
      `UPDATE files SET status = 'deleted', blob_id = NULL, bytes = NULL, expires_at = ? WHERE account_id = ? AND id = ?`,
      now + uploadLimits.keptMs,
      accountId,
      fileId,
    ),
  ];
}

/** Deletes a file at once. Tasks that it was attached to keep theirs. */
export const deleteFile: StoreOperation<FileKey & { now: number }, null> = {
  name: 'files.delete',
  access: 'write',
  keys: ({ fileId }) => [fileId],
  *run(key) {
    const row = yield* selectFile(key, 'FOR UPDATE');
    if (!row || fileStatusAt(readFile(row), key.now) === 'deleted') throw fileNotFound();
    yield buryFile(key.accountId, key.fileId, key.now);
    return null;
  },
  announce: () => [{ topic: 'deleted' }],
};

/** Deletes uploads whose time is over and deletes the other rows that nobody asks for any more; how many it dealt with. */
export const expireFiles: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'files.expire',
  access: 'exclusive',
  *run({ now, limit }) {
    const due = yield* selectAll(
      'SELECT account_id, id, status FROM files WHERE expires_at <= ? ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED',
      now,
      limit,
    );
    if (due.length === 0) return 0;
    yield due.flatMap(({ account_id, id, status }) =>
      status === 'uploaded'
        ? buryFile(String(account_id), String(id), now)
        : [sql('DELETE FROM files WHERE account_id = ? AND id = ?', account_id ?? null, id ?? null)],
    );
    return due.length;
  },
};
