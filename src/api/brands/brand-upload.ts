import { Fault, invalidField } from '@errand/base/fault.ts';
import type { BrandFile } from '../../rules/brands/brand.ts';
import { type FileRecord } from '../../store/files/file-record.ts';
import { getFile } from '../../store/files/files.ts';
import type { BrandFileKind, BrandUpload } from '../contract/services/brand-service.ts';
import type { Context } from '../contract/operation.ts';
import { keyOfFile } from '../files/file-key.ts';

/** An uploaded file of the caller whose bytes have arrived. */
export interface FoundUpload extends BrandUpload {
  filename: string;
  bytes: number;
}

async function readFile(field: string, id: string, { principal, read }: Context): Promise<FileRecord> {
  try {
    return await read(getFile, keyOfFile(id, principal));
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found')
      throw new Fault('not_found', `${field}: file not found`, { param: field });
    throw error;
  }
}

/** The caller's upload with this id. Throws a Fault that names the field if it is missing, not uploaded yet, or too large. */
export async function findUpload(field: string, id: string, most: number, context: Context): Promise<FoundUpload> {
  const { filename, stored } = await readFile(field, id, context);
  if (stored === null) throw invalidField(field, 'the file is not uploaded yet. Upload its content first.');
  if (stored.bytes > most) {
    const limit = most < 1024 * 1024 ? `${most / 1024} KB` : `${most / 1024 / 1024} MB`;
    throw new Fault('payload_too_large', `${field}: has ${stored.bytes} bytes; at most ${limit} are possible.`, { param: field });
  }
  const { principal, signal } = context;
  return { accountId: principal.accountId, blobId: stored.blobId, filename, bytes: stored.bytes, signal };
}

/** Names the field in what was found wrong with its file. */
export async function nameField<Result>(field: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_argument') throw invalidField(field, error.message);
    throw error;
  }
}

/** An upload as a file of a brand. Throws a Fault that names the field for what cannot be one. */
export async function takeUpload(
  { field, id, kind, most }: { field: string; id: string; kind: BrandFileKind; most: number },
  context: Context,
): Promise<BrandFile> {
  const upload = await findUpload(field, id, most, context);
  const form = await nameField(field, context.brands.examine(kind, upload));
  return { blobId: upload.blobId, filename: upload.filename, bytes: upload.bytes, form };
}
