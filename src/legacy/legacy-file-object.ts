import { z } from 'zod';
import type { fileDetail } from '../api/files/file-object.ts';
import { Fault } from '@errand/base/fault.ts';

export type CurrentFile = z.output<typeof fileDetail>;

/** A file as v1 represents it (docs/reference/wire-format.md#v1-objects); times are Unix seconds as strings. */
export const legacyFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  filename: z.string(),
  status: z.enum(['pending', 'uploaded', 'deleted']),
  bytes: z.int().optional().meta({ description: 'Present once the file is uploaded.' }),
  created_at: z.string(),
  expires_at: z.string(),
});

/** Throws 404 for a deleted file. */
export function presentLegacyFile({
  id,
  filename,
  status,
  bytes,
  created_at,
  expires_at,
}: CurrentFile): z.input<typeof legacyFile> {
  if (status === 'deleted' || status === 'error') throw legacyFileNotFound();
  return {
    id,
    object: 'file',
    filename,
    status,
    ...(bytes !== null && { bytes }),
    created_at: String(created_at),
    expires_at: String(expires_at),
  };
}

export function legacyFileNotFound(): Fault {
  return new Fault('not_found', 'file not found or has been deleted');
}

/** The error that v1 reports for a missing file. */
export async function findLegacyFile<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'not_found' ? legacyFileNotFound() : error;
  });
}
