import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import type { Row } from '../db/store-operation.ts';

/** A file that was or will be uploaded; times in milliseconds since the epoch. */
export interface FileRecord {
  fileId: string;
  filename: string;
  status: 'pending' | 'uploaded' | 'deleted';
  /** A MIME type; before the upload, the one implied by the name. */
  contentType: string;
  /** Null until it is uploaded, and after it is deleted. */
  stored: { blobId: string; bytes: number } | null;
  createdAtMs: number;
  /** Deadline for starting the upload. */
  uploadEndsAtMs: number;
  expiresAtMs: number;
}

/** `files` */
export const fileRow = tableCodec('files', {
  account_id: text,
  id: text,
  filename: text,
  status: oneOf<FileRecord['status']>(),
  content_type: text,
  bytes: nullable(integer),
  blob_id: nullable(text),
  created_at: integer,
  upload_ends_at: integer,
  expires_at: integer,
});
const record = fileRow.pick(
  'id as fileId, filename, status, content_type, bytes, blob_id, created_at, upload_ends_at, expires_at',
);

/** Columns that `readFile` needs. */
export const fileColumns = record.columns;

/** Reads a file from a row. */
export function readFile(row: Row): FileRecord {
  const { blobId, bytes, ...file } = record.read(row);
  return { ...file, stored: blobId === null ? null : { blobId, bytes: bytes ?? 0 } };
}
