import { Client, types } from 'pg';
import { StartFault } from '@errand/base/start-fault.ts';
import { holdPrefix } from '../db/backup-hold.ts';
import type { AppliedMigration } from '../db/migrations.ts';
import type { SqlValue } from '../db/store-operation.ts';
import { BackupProblem } from './backup-problem.ts';
import { checkKnown, type DatabaseSource, knownTables, migrationsTable, partRows, lastingRows } from './database-source.ts';
import type { TablePart } from './table-stream.ts';

/** The name by which a restore recognizes connections of a service or command. */
export const backupApplication = 'errand backup';

const bigint: number = types.builtins.INT8;

/** A connection that returns integers as numbers. */
export async function connectPostgres(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: backupApplication,
    types: {
      getTypeParser: (oid: number) => (oid === bigint ? Number : types.getTypeParser(oid, 'text')) as never,
    },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new StartFault(`ERRAND_DATABASE_URL: cannot use the database: ${(error as Error).message}`, error);
  }
}

/** The tables of this program that exist in the database. */
export async function presentTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS known (name, at) WHERE to_regclass(name) IS NOT NULL ORDER BY at',
    [await knownTables()],
  );
  return rows.map(({ name }) => name);
}

async function* readTable(client: Client, table: string): AsyncGenerator<TablePart> {
  await client.query(`DECLARE part NO SCROLL CURSOR FOR SELECT * FROM ${table}`);
  for (;;) {
    const query = { text: `FETCH ${partRows} FROM part`, rowMode: 'array' as const };
    const { fields, rows } = await client.query<SqlValue[]>(query);
    yield { table, columns: fields.map(({ name }) => name), rows: lastingRows(table, rows) };
    if (rows.length < partRows) break;
  }
  await client.query('CLOSE part');
}

/** A PostgreSQL database, read in one transaction with one snapshot. */
export async function openPostgresSource(url: string): Promise<DatabaseSource> {
  const writer = await connectPostgres(url);
  const reader = await connectPostgres(url).catch(async (error: unknown) => {
    await writer.end();
    throw error;
  });
  return {
    async hold(id, holdMs) {
      await writer.query(
        `INSERT INTO instance (name, value) VALUES ($1, (errand_now() + $2::bigint)::text)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        [holdPrefix + id, holdMs],
      );
    },
    async *read() {
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        for (const table of await presentTables(reader)) yield* readTable(reader, table);
      } finally {
        await reader.query('ROLLBACK');
      }
    },
    async applied() {
      const tables = await presentTables(reader);
      if (!tables.includes(migrationsTable)) {
        throw new BackupProblem('ERRAND_DATABASE_URL: the database is empty; there is nothing to back up');
      }
      const found = await reader.query<AppliedMigration>('SELECT version, digest FROM schema_migrations ORDER BY version');
      await checkKnown(found.rows);
      return found.rows;
    },
    async close(id) {
      try {
        await writer.query('DELETE FROM instance WHERE name = $1', [holdPrefix + id]);
      } finally {
        await Promise.all([reader.end(), writer.end()]);
      }
    },
  };
}
