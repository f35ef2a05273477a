import type { Client } from 'pg';
import { migrationToPostgres } from '../db/dialect.ts';
import { migrationTable } from '../db/migrations.ts';
import { BackupProblem } from './backup-problem.ts';
import { type DatabaseDestination, listColumns, migrationsOf } from './database-destination.ts';
import { backupApplication, connectPostgres, presentTables } from './postgres-source.ts';
import type { TablePart } from './table-stream.ts';

async function insertPart(client: Client, part: TablePart): Promise<void> {
  if (part.rows.length === 0) return;
  const columns = listColumns(part);
  const rows = part.rows.map((row) => Object.fromEntries(part.columns.map((name, index) => [name, row[index]])));
  const select = `SELECT ${columns} FROM json_populate_recordset(NULL::${part.table}, $1)`;
  await client.query(`INSERT INTO ${part.table} (${columns}) ${select}`, [JSON.stringify(rows)]);
}

async function refuseUsed(client: Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND application_name LIKE 'errand%' AND application_name <> $1 LIMIT 1`,
    [backupApplication],
  );
  if (rows.length > 0) throw new BackupProblem('ERRAND_DATABASE_URL: a service uses the database; stop all its processes first');
}

async function hasAccounts(client: Client, tables: readonly string[]): Promise<boolean> {
  return tables.includes('accounts') && (await client.query('SELECT 1 FROM accounts LIMIT 1')).rows.length > 0;
}

/**
 * A PostgreSQL database, filled in one transaction. Rejects with `BackupProblem` if a service uses it, or if it has accounts that must not be
 * replaced.
 *
 * @param prepare statements that take the migration lock and create the clock function, as part of the transaction
 */
export async function openPostgresDestination(
  url: string,
  { isReplacing, prepare }: { isReplacing: boolean; prepare: string },
): Promise<DatabaseDestination> {
  const client = await connectPostgres(url);
  try {
    await refuseUsed(client);
    await client.query('BEGIN');
    await client.query(prepare);
    const tables = await presentTables(client);
    if (!isReplacing && (await hasAccounts(client, tables))) {
      throw new BackupProblem(
        'ERRAND_DATABASE_URL: the database is not empty; use an empty one, or --replace to delete what it has',
      );
    }
    for (const table of tables) await client.query(`DROP TABLE ${table}`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    async load(applied, parts) {
      await client.query(migrationTable);
      for (const { text } of await migrationsOf(applied)) await client.query(migrationToPostgres(text));
      let table = '';
      for await (const part of parts) {
        // Migrations add rows of their own, which are also in the backup.
        if (part.table !== table) await client.query(`DELETE FROM ${part.table}`);
        table = part.table;
        await insertPart(client, part);
      }
    },
    async commit() {
      await client.query('COMMIT');
    },
    async close() {
      await client.end();
    },
  };
}
