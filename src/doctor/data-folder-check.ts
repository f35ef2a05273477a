import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Check, DoctorContext } from './check.ts';

/** The folder itself, or the nearest existing one above it. */
export async function findExisting(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : findExisting(dirname(folder));
}

/** Whether the data folder is writable or can be created. */
export async function checkDataFolder({ config: { dataDir } }: DoctorContext): Promise<Check> {
  const name = 'data folder';
  const existing = await findExisting(dataDir);
  try {
    if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is not a folder`);
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    const found = `cannot write to ${dataDir}: ${(error as Error).message}`;
    return { name, state: 'failed', found, remedy: 'set ERRAND_DATA_DIR to a folder that you can write to' };
  }
  return { name, state: 'ok', found: existing === dataDir ? dataDir : `${dataDir} (the first start creates it)` };
}
