import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFault } from '../../base/start-fault.ts';

export const databaseFile = 'errand.db';
const lockFile = 'lock.db';

/** What a start that was killed before it made the database may leave behind. */
const beforeDatabase = new Set([lockFile, `${lockFile}-journal`, 'control.sock', databaseFile]);

/** 'ERRD': marks a SQLite file as one of ours. */
export const applicationId = 0x45525244;

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** A SQLite header says how long the file is; a shorter one has been cut unless the write-ahead log holds the rest. */
async function checkHeader(folder: string, file: string, size: number): Promise<void> {
  const header = Buffer.alloc(100);
  const handle = await open(file, 'r');
  try {
    await handle.read(header, 0, 100, 0);
  } finally {
    await handle.close();
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} is not a database of errand; choose another folder`);
  }
  const declaredSize = header.readUInt32BE(28) * (header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16));
  if (size < declaredSize && (await sizeOf(`${file}-wal`)) === 0) {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} is damaged (cut short); restore ${folder} from a backup`);
  }
}

/**
 * Refuses a folder that is not ours or no longer whole before anything in it is touched: an existing store is opened, an empty
 * folder becomes one, everything else is left as it is.
 */
export async function checkDataFolder(folder: string): Promise<void> {
  const entries = await readdir(folder);
  const file = join(folder, databaseFile);
  const size = await sizeOf(file);
  if (size > 0) return checkHeader(folder, file, size);
  const foreign = entries.find((entry) => !beforeDatabase.has(entry));
  if (foreign !== undefined) {
    throw new StartFault(
      `ERRAND_DATA_DIR: ${folder} holds ${foreign} but no ${databaseFile}; choose an empty folder or restore it from a backup`,
    );
  }
}

/** A folder that one process has to itself. The operating system gives it back however the process ends. */
export interface FolderLock {
  release(): void;
}

/** Holds an exclusive lock for the life of this process, or refuses because another process has it. */
export function lockDataFolder(folder: string): FolderLock {
  const lock = new DatabaseSync(join(folder, lockFile));
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isBusy = ((error as { errcode?: number }).errcode ?? 0) === 5;
    throw new StartFault(
      isBusy
        ? `ERRAND_DATA_DIR: another errand process is using ${folder}; stop it, or choose another folder`
        : `ERRAND_DATA_DIR: cannot lock ${folder}: ${(error as Error).message}`,
      error,
    );
  }
  return { release: () => lock.close() };
}
