import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import {
  applicationId,
  refuseForeignFolder,
  databaseFile,
  hasUnmergedLog,
  keepPrivate,
  lockDataFolder,
} from './db/data-folder.ts';
import { migrationToSqlite } from './db/dialect.ts';
import {
  loadMigrations,
  migrationTable,
  type Migration,
  pendingMigrations,
  selectApplied,
  type StoredMigration,
} from './db/migrations.ts';
import { SqliteDatabase } from './db/sqlite-database.ts';
import type { NotifySecurityEvent } from './db/notified-security-events.ts';

const threads = {
  thread: new URL('./sqlite-thread.ts', import.meta.url),
  readerThread: new URL('./sqlite-reader-thread.ts', import.meta.url),
};

/** Up to this size a store is checked page by page at every start (about 0.1 s); pages of larger ones when they are read. */
const checkedBytes = 16 * 1024 * 1024;

function readNumber(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

function checkPages(database: DatabaseSync, file: string): void {
  if (readNumber(database, 'page_count') * readNumber(database, 'page_size') > checkedBytes) return;
  const verdict = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  if (verdict !== 'ok') {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} is damaged (${String(verdict)}); restore it from a backup`);
  }
}

function readApplied(database: DatabaseSync): StoredMigration[] {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get();
  if (!table) return [];
  return database.prepare(selectApplied).all() as unknown as StoredMigration[];
}

function applyMigrations(database: DatabaseSync, shipped: readonly Migration[], nowMs: number): void {
  // The application id is written first, into the file itself, so that the file is identified as ours from its first page.
  if (readNumber(database, 'application_id') !== applicationId) database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(migrationTable);
  for (const { version, name, text, digest } of pendingMigrations(shipped, readApplied(database))) {
    database.exec('BEGIN IMMEDIATE');
    database.exec(migrationToSqlite(text));
    database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)').run(version, name, digest, nowMs);
    database.exec('COMMIT');
  }
}

function withFile(file: string, readOnly: boolean, use: (database: DatabaseSync) => void): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly });
    use(database);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    throw new StartFault(`ERRAND_DATA_DIR: cannot use ${file}: ${(error as Error).message}`, error);
  } finally {
    database?.close();
  }
}

/**
 * Creates or migrates the folder's database; safe to kill at any point and to rerun. Damaged or newer databases are detected before
 * anything is written: a write-ahead log is read without merging it into the file.
 */
async function prepareFile(file: string, shipped: readonly Migration[], nowMs: number): Promise<void> {
  withFile(file, await hasUnmergedLog(file), (database) => {
    checkPages(database, file);
    pendingMigrations(shipped, readApplied(database));
  });
  withFile(file, false, (database) => applyMigrations(database, shipped, nowMs));
}

/** Creates a folder and its parents. Node's recursive mkdir never returns if a parent cannot contain folders, as in `/proc/x`. */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  const parent = dirname(folder);
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    await make();
  });
}

/** What becomes of the database besides being used. */
export interface SqliteOptions {
  notify?: NotifySecurityEvent;
  /** The folder that the write-ahead log is copied to. */
  walTarget?: string | null;
  reportWal?: (problem: string | null) => void;
}

/** Opens or creates the embedded store of a data folder and locks it against other processes. */
export async function openSqlite(
  folder: string,
  clock: Clock,
  { notify, walTarget = null, reportWal }: SqliteOptions = {},
): Promise<SqliteDatabase> {
  try {
    await makeFolder(folder);
    await refuseForeignFolder(folder);
    await keepPrivate(folder);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    throw new StartFault(`ERRAND_DATA_DIR: cannot use ${folder}: ${(error as Error).message}`, error);
  }
  const lock = lockDataFolder(folder);
  try {
    const file = join(folder, databaseFile);
    await prepareFile(file, await loadMigrations(), clock.now());
    const listeners = { onClosed: () => lock.release(), notify, reportWal };
    return new SqliteDatabase({ file, walTarget }, threads, clock, listeners);
  } catch (error) {
    lock.release();
    throw error;
  }
}
