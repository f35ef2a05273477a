import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { StartFault } from '@errand/base/start-fault.ts';
import { databaseFile } from './data-folder.ts';
import { loadMigrations, neededVersion, selectApplied, type StoredMigration } from './migrations.ts';

/** The schema version recorded in a database. */
export interface SchemaVersion {
  /** 0 if it is empty or missing. */
  current: number;
  /** The oldest schema version whose programs can work with it. */
  needed: number;
}

const none: SchemaVersion = { current: 0, needed: 0 };

/** The schema version of this program. */
export async function shippedVersion(): Promise<number> {
  return (await loadMigrations()).at(-1)?.version ?? 0;
}

function findVersion(applied: readonly StoredMigration[]): SchemaVersion {
  return { current: applied.at(-1)?.version ?? 0, needed: Math.max(0, ...applied.map(({ name }) => neededVersion(name))) };
}

function readVersion(file: string): SchemaVersion {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get() !== undefined;
    return hasTable ? findVersion(database.prepare(selectApplied).all() as unknown as StoredMigration[]) : none;
  } finally {
    database.close();
  }
}

/** The version of the embedded database in a folder. Takes no lock and changes nothing. */
export function readSqliteVersion(folder: string): SchemaVersion {
  const file = join(folder, databaseFile);
  if (!existsSync(file)) return none;
  try {
    return readVersion(file);
  } catch (error) {
    throw new StartFault(`ERRAND_DATA_DIR: cannot read ${file}: ${(error as Error).message}`, error);
  }
}

/** The version of a PostgreSQL database. Changes nothing. */
export async function readPostgresVersion(url: string): Promise<SchemaVersion> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'errand' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS found");
    if (!rows[0]?.found) return none;
    return findVersion((await client.query<StoredMigration>(selectApplied)).rows);
  } catch (error) {
    throw new StartFault(`ERRAND_DATABASE_URL: cannot use the database: ${(error as Error).message}`, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
