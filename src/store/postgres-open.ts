import { Client } from 'pg';
import type { Clock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { migrationToPostgres } from './db/dialect.ts';
import { loadMigrations, migrationTable, pendingMigrations, selectApplied, type StoredMigration } from './db/migrations.ts';
import { PostgresDatabase, type PostgresOptions } from './db/postgres-database.ts';
import { checkPooler, setForRole } from './postgres-pooler.ts';

/** Any number, the same in every process: only one of them migrates at a time. */
const migrationLock = 4542534;

/** The database's clock in milliseconds; stable within a statement, so that it can bound an index. */
const clockFunction = `CREATE OR REPLACE FUNCTION errand_now() RETURNS BIGINT LANGUAGE SQL STABLE
  AS 'SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000)::BIGINT'`;

async function migrate(client: Client, nowMs: number): Promise<void> {
  const shipped = await loadMigrations();
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  await client.query(migrationTable);
  await client.query(clockFunction);
  const { rows } = await client.query<StoredMigration>(selectApplied);
  for (const { version, name, text, digest } of pendingMigrations(shipped, rows)) {
    await client.query('BEGIN');
    await client.query(migrationToPostgres(text));
    await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3, $4)', [version, name, digest, nowMs]);
    await client.query('COMMIT');
  }
}

/** What a restore runs first in its transaction: starts wait for it, and the schema has its function. */
export const restorePreparation = `SELECT pg_advisory_xact_lock(${migrationLock}); ${clockFunction}`;

/** Opens a PostgreSQL store and migrates its schema; safe for concurrent processes. */
export async function openPostgres(url: string, clock: Clock, options: PostgresOptions = {}): Promise<PostgresDatabase> {
  const { poolUrl = null } = options;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'errand migrate' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await migrate(client, clock.now());
    if (poolUrl !== null) {
      await setForRole(client);
      await checkPooler(poolUrl, client);
    }
  } catch (error) {
    if (error instanceof StartFault) throw error;
    // The error of a host with several addresses has no message, only a code.
    const { message, code = 'no answer' } = error as NodeJS.ErrnoException;
    throw new StartFault(`ERRAND_DATABASE_URL: cannot use the database: ${message || code}`, error);
  } finally {
    await client.end().catch(() => undefined);
  }
  const database = new PostgresDatabase(url, clock, options);
  database.open();
  return database;
}
