import { z } from 'zod';
import { fileStatuses, fileStatusAt } from '../../rules/files/upload-policy.ts';
import type { FileRecord } from '../../store/files/file-record.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** An uploaded file, or one that is still to be uploaded (docs/reference/wire-format.md#files). */
export const fileObject = z
  .object({
    id: z.string(),
    filename: z.string(),
    status: z.enum(fileStatuses),
    created_at: unixTime,
  })
  .meta({ id: 'File' });

export const fileDetail = fileObject
  .extend({
    bytes: z.int().nullable().meta({ description: 'Null until the file is uploaded.' }),
    content_type: z.string(),
    expires_at: z.int().meta({ description: 'When the file will be deleted. Unix time in seconds.' }),
    error_message: z.string().nullable(),
  })
  .meta({ id: 'FileDetail' });

export function presentFile(file: FileRecord, nowMs: number): z.input<typeof fileDetail> {
  const status = fileStatusAt(file, nowMs);
  return {
    id: file.fileId,
    filename: file.filename,
    status,
    created_at: toUnixTime(file.createdAtMs),
    bytes: status === 'uploaded' ? (file.stored?.bytes ?? null) : null,
    content_type: file.contentType,
    expires_at: toUnixTime(file.expiresAtMs),
    error_message: status === 'error' ? 'The upload did not arrive in time.' : null,
  };
}
