import { openAsBlob } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandFault } from '../exit-code.ts';
import type { Connection } from '../transport/connection.ts';

/** Names the option and its file in what goes wrong with it. */
export async function onFile<Result>(option: string, path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new CommandFault(`--${option} ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Uploads the file that an option names, to the URL that the service provides; returns its id. Throws a CommandFault. */
export async function uploadFile(option: string, path: string, connection: Connection): Promise<string> {
  // openAsBlob does not say what is wrong.
  await onFile(option, path, access(path, constants.R_OK));
  const body = await onFile(option, path, openAsBlob(path));
  const { file, upload_url: url } = await connection.call('file.upload', { filename: basename(path) });
  const answer = await onFile(option, path, fetch(url, { method: 'PUT', body, redirect: 'error' }));
  if (!answer.ok) throw new CommandFault(`--${option} ${path}: the upload failed with status ${answer.status}`);
  return file.id;
}
