import { writeFileSync } from 'node:fs';
import { chmod, open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFault } from '@errand/base/start-fault.ts';

export const databaseFile = 'errand.db';
const lockFile = 'lock.db';

/** Files that a start killed before creating the database may leave behind. */
const beforeDatabase = new Set([lockFile, `${lockFile}-journal`, 'control.sock', databaseFile, `${databaseFile}-journal`]);

/** 'ERRD': identifies a SQLite file as ours. */
export const applicationId = 0x45525244;

const magic = 'SQLite format 3\0';
const smallestDatabase = 512;

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** Whether a store was not closed, so that its last writes are still in the write-ahead log. */
export async function hasUnmergedLog(file: string): Promise<boolean> {
  return (await sizeOf(`${file}-wal`)) > 0;
}

async function readHeader(file: string): Promise<Buffer> {
  const header = Buffer.alloc(100);
  const handle = await open(file, 'r');
  try {
    await handle.read(header, 0, header.length, 0);
  } finally {
    await handle.close();
  }
  return header;
}

/**
 * A SQLite header identifies the application from its first write on, and gives the size; a shorter file has been truncated unless the
 * write-ahead log has the rest.
 */
async function checkHeader(folder: string, file: string, size: number): Promise<void> {
  const header = await readHeader(file);
  if (header.toString('latin1', 0, magic.length) !== magic) {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} is not a database of errand; choose another folder`);
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const isCut = size < header.readUInt32BE(28) * pageSize && !(await hasUnmergedLog(file));
  if (size < smallestDatabase || isCut) {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} is damaged (cut short); restore ${folder} from a backup`);
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} belongs to another program; choose another folder`);
  }
}

/**
 * Rejects a folder that is not ours or is damaged before touching anything in it: an existing store is opened, an empty folder becomes one,
 * anything else is left unchanged.
 */
export async function refuseForeignFolder(folder: string): Promise<void> {
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

/** Ignores failures with one of these codes; rethrows all others. */
function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}

/** Makes a file accessible to this user only, if it exists. */
export async function makePrivate(path: string): Promise<void> {
  // A user who may write a file without owning it cannot change its mode, and some file systems have no modes.
  await chmod(path, 0o600).catch(ignore('ENOENT', 'EPERM', 'ENOTSUP'));
}

/**
 * Makes the database files accessible to this user only, in a folder that others may enter too. What SQLite creates beside a database gets
 * its mode. An existing file is not opened, because closing it would release the locks that this process has on it.
 */
export async function keepPrivate(folder: string): Promise<void> {
  for (const name of [databaseFile, lockFile]) {
    const file = join(folder, name);
    await writeFile(file, '', { flag: 'wx', mode: 0o600 }).catch(ignore('EEXIST'));
    for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) await makePrivate(path);
  }
}

/** Creates a file that only this user can read, unless it exists; if it cannot be created, its use says why. */
function createPrivately(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch {
    // It exists, or the folder takes no file.
  }
}

/** A folder locked by one process. The operating system releases the lock however the process ends. */
export interface FolderLock {
  release(): void;
}

/** Takes an exclusive lock for the life of this process; throws if another process has it. */
export function lockDataFolder(folder: string): FolderLock {
  createPrivately(join(folder, lockFile));
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
