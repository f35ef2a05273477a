import { Fault } from '@errand/base/fault.ts';
import { fileStatusAt, uploadLimits } from '../../rules/files/upload-policy.ts';
import { type BlobOwner, addBlobReferences, releaseBlobs } from '../blobs/blob-references.ts';
import {
  insertRow,
  lockAccount,
  type StoreOperation,
  type Row,
  rowOf,
  type Script,
  selectAll,
  selectFirst,
  selectOne,
  sql,
  type Statement,
} from '../db/store-operation.ts';
import { computedCodec, integer } from '../db/row-codec.ts';
import { fileColumns, type FileRecord, fileRow, readFile } from './file-record.ts';

/** Key of a file, and the rights that restrict the search. */
export interface FileKey {
  accountId: string;
  fileId: string;
  /** Finds the file only if this application uploaded it; null or absent finds any of the account's. */
  onlyClientId?: string | null;
}

export function fileNotFound(): Fault {
  return new Fault('not_found', 'file not found');
}

const storedRow = computedCodec('the uploads of an account', { bytes: integer });

function selectFile({ accountId, fileId, onlyClientId }: FileKey, lock = ''): Script<Row | undefined> {
  const bound = onlyClientId === null || onlyClientId === undefined ? [] : [onlyClientId];
  const condition = bound.length > 0 ? 'AND oauth_client_id = ?' : '';
  const statement = `SELECT ${fileColumns} FROM files WHERE account_id = ? AND id = ? ${condition} ${lock}`;
  return selectFirst(statement.trimEnd(), accountId, fileId, ...bound);
}

/** The blob reference owner of a file. */
function ownerOf(fileId: string): BlobOwner {
  return `file:${fileId}`;
}

/** The size of the account's other files that are uploaded and not due for deletion. */
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

/** Creates a file that is still to be uploaded. Throws 429 if the account's quota is exhausted. */
export const createFile: StoreOperation<CreateFileArgs, FileRecord> = {
  name: 'files.create',
  access: 'write',
  *run({ accountId, fileId, filename, contentType, oauthClientId, now }) {
    const available = yield* selectOne(storedBytes, accountId, now, fileId);
    if (storedRow.bytes(available) >= uploadLimits.accountBytes) throw quotaExceeded();
    const row = {
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
      expires_at: now + uploadLimits.retentionMs,
    };
    yield [insertRow('files', row)];
    return readFile(rowOf(row));
  },
};

/** The caller's file, or a fault that does not distinguish a foreign file from a missing one. */
export const getFile: StoreOperation<FileKey, FileRecord> = {
  name: 'files.get',
  access: 'read',
  *run(key) {
    const row = yield* selectFile(key);
    if (!row) throw fileNotFound();
    return readFile(row);
  },
};

/** The newest files of an account, without deleted ones. */
export const listRecentFiles: StoreOperation<{ accountId: string; now: number; limit: number }, FileRecord[]> = {
  name: 'files.listRecent',
  access: 'read',
  *run({ accountId, now, limit }) {
    const rows = yield* selectAll(
      `SELECT ${fileColumns} FROM files WHERE account_id = ? AND status <> 'deleted' AND expires_at > ? ORDER BY id DESC LIMIT ?`,
      accountId,
      now,
      limit,
    );
    return rows.map(readFile).filter((file) => fileStatusAt(file, now) !== 'error');
  },
};

/** Owner and name of a file to upload, and how many bytes the account has left for it. */
export const prepareUpload: StoreOperation<FileKey & { now: number }, { file: FileRecord; bytesLeft: number }> = {
  name: 'files.prepareUpload',
  access: 'read',
  *run(key) {
    const { accountId, fileId, now } = key;
    const row = yield* selectFile(key);
    const stored = yield* selectOne(storedBytes, accountId, now, fileId);
    if (!row || fileStatusAt(readFile(row), now) === 'deleted') throw fileNotFound();
    return { file: readFile(row), bytesLeft: uploadLimits.accountBytes - storedRow.bytes(stored) };
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

/** Makes a durable blob the content of a file, replacing an earlier upload to the same URL. */
export const completeUpload: StoreOperation<CompleteUploadArgs, null> = {
  name: 'files.completeUpload',
  access: 'exclusive',
  *run({ accountId, fileId, blobId, bytes, contentType, now }) {
    // Uploads of an account finish one after another, so that concurrent ones cannot exceed its limit.
    yield* lockAccount(accountId);
    const row = yield* selectFile({ accountId, fileId }, 'FOR UPDATE');
    if (!row || fileStatusAt(readFile(row), now) === 'deleted') throw fileNotFound();
    const others = yield* selectOne(storedBytes, accountId, now, fileId);
    if (storedRow.bytes(others) + bytes > uploadLimits.accountBytes) throw quotaExceeded();
    yield releaseBlobs(accountId, ownerOf(fileId));
    if (!(yield* addBlobReferences(accountId, [blobId], ownerOf(fileId)))) throw fileNotFound();
    yield [
      sql(
        `UPDATE files SET status = 'uploaded', blob_id = ?, bytes = ?, content_type = ?, expires_at = ?
         WHERE account_id = ? AND id = ?`,
        blobId,
        bytes,
        contentType,
        now + uploadLimits.retentionMs,
        accountId,
        fileId,
      ),
    ];
    return null;
  },
};

/** A deleted file keeps only its name, for the same retention period again. */
function buryFile(accountId: string, fileId: string, now: number): Statement[] {
  return [
    ...releaseBlobs(accountId, ownerOf(fileId)),
    sql(
      `UPDATE files SET status = 'deleted', blob_id = NULL, bytes = NULL, expires_at = ? WHERE account_id = ? AND id = ?`,
      now + uploadLimits.retentionMs,
      accountId,
      fileId,
    ),
  ];
}

/** Deletes a file at once. Tasks that it was attached to keep their copies. */
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

/** Deletes expired uploads and obsolete rows of deleted ones; returns the number processed. */
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
    yield due.flatMap((row) => {
      const [accountId, id] = [fileRow.account_id(row), fileRow.id(row)];
      if (fileRow.status(row) === 'uploaded') return buryFile(accountId, id, now);
      return [sql('DELETE FROM files WHERE account_id = ? AND id = ?', accountId, id)];
    });
    return due.length;
  },
};
