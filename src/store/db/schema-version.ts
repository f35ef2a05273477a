import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { StartFault } from '@errand/base/start-fault.ts';
import { databaseFile } from './data-folder.ts';
import { loadMigrations } from './migrations.ts';

const newest = 'SELECT MAX(version) AS version FROM schema_migrations';

/** The schema version of this program. */
export async function shippedVersion(): Promise<number> {
  return (await loadMigrations()).at(-1)?.version ?? 0;
}

function readVersion(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get() !== undefined;
    return hasTable ? Number(database.prepare(newest).get()?.version ?? 0) : 0;
  } finally {
    database.close();
  }
}

/** The version of the embedded database in a folder, 0 if there is none. Takes no lock and changes nothing. */
export function readSqliteVersion(folder: string): number {
  const file = join(folder, databaseFile);
  if (!existsSync(file)) return 0;
  try {
    return readVersion(file);
  } catch (error) {
    throw new StartFault(`ERRAND_DATA_DIR: cannot read ${file}: ${(error as Error).message}`, error);
  }
}

/** The version of a PostgreSQL database, 0 if it is empty. Changes nothing. */
export async function readPostgresVersion(url: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'errand' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS found");
    if (!rows[0]?.found) return 0;
    const versions = await client.query<{ version: number | null }>(newest);
    return versions.rows[0]?.version ?? 0;
  } catch (error) {
    throw new StartFault(`ERRAND_DATABASE_URL: cannot use the database: ${(error as Error).message}`, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
