import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import { StartFault } from '../../base/start-fault.ts';
import { applicationId, checkDataFolder, databaseFile, lockDataFolder } from './data-folder.ts';
import { toSqlite } from './dialect.ts';
import { type AppliedMigration, loadMigrations, migrationTable, type Migration, pendingMigrations } from './migrations.ts';
import { SqliteDatabase } from './sqlite-database.ts';

/** Up to this size a store is checked page by page at every start (about 0.1 s); larger ones when they are read. */
const checkedBytes = 16 * 1024 * 1024;

function readNumber(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

function checkContent(database: DatabaseSync, file: string): void {
  const tables = database.prepare("SELECT COUNT(*) AS count FROM sqlite_schema WHERE type = 'table'").get();
  const isEmpty = tables?.count === 0;
  if (!isEmpty && readNumber(database, 'application_id') !== applicationId) {
    throw new StartFault(`ERRAND_DATA_DIR: ${file} belongs to another program; choose another folder`);
  }
  if (readNumber(database, 'page_count') * readNumber(database, 'page_size') > checkedBytes) return;
  const verdict = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  if (verdict !== 'ok')
    throw new StartFault(`ERRAND_DATA_DIR: ${file} is damaged (${String(verdict)}); restore it from a backup`);
}

function applyMigrations(database: DatabaseSync, shipped: readonly Migration[], nowMs: number): void {
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec(migrationTable);
  const applied = database.prepare('SELECT version, digest FROM schema_migrations').all() as unknown as AppliedMigration[];
  for (const { version, name, text, digest } of pendingMigrations(shipped, applied)) {
    database.exec('BEGIN IMMEDIATE');
    database.exec(toSqlite(text));
    database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)').run(version, name, digest, nowMs);
    database.exec('COMMIT');
  }
}

/** Makes the folder's database what this program expects; safe to kill at any point and to run again. */
function prepareFile(file: string, shipped: readonly Migration[], nowMs: number): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    checkContent(database, file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    applyMigrations(database, shipped, nowMs);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    throw new StartFault(`ERRAND_DATA_DIR: cannot use ${file}: ${(error as Error).message}`, error);
  } finally {
    database?.close();
  }
}

/** Opens or makes the embedded store of a data folder, which from then on no other process can open. */
export async function openSqlite(folder: string, clock: Clock): Promise<SqliteDatabase> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await checkDataFolder(folder);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    throw new StartFault(`ERRAND_DATA_DIR: cannot use ${folder}: ${(error as Error).message}`, error);
  }
  const lock = lockDataFolder(folder);
  try {
    const file = join(folder, databaseFile);
    prepareFile(file, await loadMigrations(), clock.now());
    return new SqliteDatabase(file, clock, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}
