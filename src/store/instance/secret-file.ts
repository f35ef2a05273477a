import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the file in the data folder. Its content can be set as ERRAND_SECRET instead. */
export const secretFile = 'secret';
const secretBytes = 32;

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The secret in a folder, created by the first caller: all processes on one folder share it. */
export async function ensureSecret(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, secretFile);
  const draft = join(folder, `.${secretFile}-${randomBytes(6).toString('hex')}`);
  try {
    await readFile(file);
  } catch {
    await writeDurably(draft, `${randomBytes(secretBytes).toString('base64url')}\n`);
    try {
      await link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(draft);
    }
  }
  return (await readFile(file, 'utf8')).trim();
}
