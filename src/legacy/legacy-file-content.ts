import { z } from 'zod';
import { keyOfFile } from '../api/files/file-key.ts';
import { presentFile } from '../api/files/file-object.ts';
import type { Context } from '../api/contract/operation.ts';
import { Fault } from '@errand/base/fault.ts';
import type { FileRecord } from '../store/files/file-record.ts';
import { getFile } from '../store/files/files.ts';
import { findLegacyFile, legacyFileNotFound } from './legacy-file-object.ts';
import { defineLegacy } from './legacy-operation.ts';

/** Where the bytes of a file are stored, for the route that sends them. */
export const storedFile = z.object({ filename: z.string(), contentType: z.string(), blobId: z.string(), bytes: z.int() });

async function findFile(fileId: string, { principal, read }: Context): Promise<FileRecord> {
  return read(getFile, keyOfFile(fileId, principal));
}

/** Lets clients of the OpenAI SDK download a file. */
export const giveFile = defineLegacy('GET', '/v1/files/:file_id/content', {
  summary: 'Downloads an uploaded file, or a `Range` of it.',
  access: 'tasks',
  givesFile: true,
  request: z.object({ file_id: z.string().meta({ description: 'Identifier of the file.' }) }),
  response: storedFile,
  async handle({ file_id }, context) {
    const file = await findLegacyFile(findFile(file_id, context));
    const { status } = presentFile(file, context.now);
    if (status === 'pending') throw new Fault('failed_precondition', 'The file has not been uploaded yet.');
    if (status !== 'uploaded' || file.stored === null) throw legacyFileNotFound();
    return { filename: file.filename, contentType: file.contentType, ...file.stored };
  },
});
