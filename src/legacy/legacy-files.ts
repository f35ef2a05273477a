import { z } from 'zod';
import type { Context } from '../api/contract/operation.ts';
import type { Uploads } from '../api/files/uploads.ts';
import { fileDelete } from '../api/files/file.delete.ts';
import { fileDetailOperation } from '../api/files/file.detail.ts';
import { presentFile } from '../api/files/file-object.ts';
import { fileUpload } from '../api/files/file.upload.ts';
import { requiredText } from '../api/contract/fields.ts';
import { listRecentFiles } from '../store/files/files.ts';
import { giveFile } from './legacy-file-content.ts';
import { type CurrentFile, findLegacyFile, legacyFile, presentLegacyFile } from './legacy-file-object.ts';
import { askCurrent, atBothAddresses, defineLegacy, type LegacyOperation } from './legacy-operation.ts';

/** The limit of v1's list, which has no pages. */
const listed = 10;

const file_id = z.string().meta({ description: 'Identifier of the file.' });

interface Upload {
  file: { id: string; filename: string; created_at: number };
  upload_url: string;
  upload_expires_at: number;
}

const announcedFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  filename: z.string(),
  status: z.enum(['pending', 'uploaded']),
  upload_url: z.string().optional().meta({ description: 'URL to upload the bytes of a registered file to.' }),
  upload_expires_at: z.string().optional(),
  bytes: z.int().optional().meta({ description: 'Present for a file uploaded as a form.' }),
  purpose: z.string().optional().meta({ description: 'As given in the form.' }),
  created_at: z.string(),
  expires_at: z.string().optional(),
});

export interface SentFile {
  filename: string;
  contentType: string;
  source: AsyncIterable<Uint8Array>;
}

/**
 * Stores a file that is sent with its request. If that fails, nothing remains.
 * @param begin creates the context of one step, because a request writes once in each
 */
export async function receiveFile({ filename, ...sent }: SentFile, begin: () => Context, uploads: Uploads): Promise<CurrentFile> {
  const context = begin();
  const { file } = await askCurrent<Upload>(fileUpload, { filename }, context);
  const named = { file_id: file.id };
  try {
    await uploads.receive(context.principal.accountId, file.id, { ...sent, bytes: null });
  } catch (error) {
    await askCurrent(fileDelete, named, begin());
    throw error;
  }
  return (await askCurrent<{ file: CurrentFile }>(fileDetailOperation, named, context)).file;
}

/** The response to a form: the v1 file, with the purpose that the SDK expects back. */
export function presentSentFile(file: CurrentFile, purpose: string | undefined): z.output<typeof announcedFile> {
  return announcedFile.parse({ ...presentLegacyFile(file), purpose: purpose ?? 'user_data' });
}

const announceFile = defineLegacy('POST', '/v1/files', {
  summary: 'Registers a file and returns its upload URL, or accepts a form with the file itself.',
  access: 'tasks',
  takesForm: true,
  request: z.object({ filename: requiredText('File name with extension.') }),
  response: announcedFile,
  async handle(input, context) {
    const { file, upload_url, upload_expires_at } = await askCurrent<Upload>(fileUpload, input, context);
    const { id, filename } = file;
    const times = { upload_expires_at: String(upload_expires_at), created_at: String(file.created_at) };
    return { id, object: 'file' as const, filename, status: 'pending' as const, upload_url, ...times };
  },
});

const listFiles = defineLegacy('GET', '/v1/files', {
  summary: `Lists the ${listed} newest files.`,
  access: 'tasks',
  request: z.object({}),
  response: z.object({ object: z.literal('list'), data: z.array(legacyFile) }),
  async handle(_, { principal, now, read }) {
    const files = await read(listRecentFiles, { accountId: principal.accountId, now, limit: listed });
    return { object: 'list' as const, data: files.map((file) => presentLegacyFile(presentFile(file, now))) };
  },
});

const getFile = defineLegacy('GET', '/v1/files/:file_id', {
  summary: "Returns a file's upload status.",
  access: 'tasks',
  request: z.object({ file_id }),
  response: legacyFile,
  async handle(input, context) {
    const { file } = await findLegacyFile(askCurrent<{ file: CurrentFile }>(fileDetailOperation, input, context));
    return presentLegacyFile(file);
  },
});

const removeFile = defineLegacy('DELETE', '/v1/files/:file_id', {
  summary: 'Deletes a file; tasks that it was attached to keep theirs.',
  access: 'tasks',
  request: z.object({ file_id }),
  response: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
  async handle(input, context) {
    await findLegacyFile(askCurrent(fileDelete, input, context));
    return { id: input.file_id, object: 'file' as const, deleted: true as const };
  },
});

export const legacyFileOperations: LegacyOperation[] = atBothAddresses([announceFile, listFiles, getFile, giveFile, removeFile]);
