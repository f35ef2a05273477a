import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../db/data-folder.ts';
import { toPostgres } from '../db/dialect.ts';
import type { RowValues, SqlValue } from '../db/store-operation.ts';
import { connectPostgres } from '../backup/postgres-source.ts';

/** Rows of a table with every column. */
export interface RowSelection {
  table: string;
  where: string;
  params: readonly SqlValue[];
}

/** A database as of one point in time, read while a service uses it. */
export interface RowReader {
  read(selection: RowSelection): AsyncGenerator<RowValues>;
  close(): Promise<void>;
}

/** Rows fetched at once: a row can have a megabyte. */
const fetchedRows = 50;

/** Reads the embedded database of a folder; readers of a write-ahead log block nobody. */
export function openSqliteRows(folder: string): RowReader {
  const database = new DatabaseSync(join(folder, databaseFile), { readOnly: true, timeout: 5000 });
  // The snapshot is that of the first read.
  database.exec('BEGIN');
  database.prepare('SELECT COUNT(*) FROM schema_migrations').get();
  return {
    async *read({ table, where, params }) {
      const statement = database.prepare(`SELECT * FROM ${table} WHERE ${where}`);
      for (const row of statement.iterate(...params)) yield row as RowValues;
    },
    async close() {
      database.close();
    },
  };
}

/** Reads a PostgreSQL database over a connection of its own. */
export async function openPostgresRows(url: string): Promise<RowReader> {
  const client = await connectPostgres(url);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT COUNT(*) FROM schema_migrations');
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    async *read({ table, where, params }) {
      const select = toPostgres(`SELECT * FROM ${table} WHERE ${where}`);
      await client.query(`DECLARE part NO SCROLL CURSOR FOR ${select}`, [...params]);
      try {
        for (;;) {
          const { rows } = await client.query<RowValues>(`FETCH ${fetchedRows} FROM part`);
          yield* rows;
          if (rows.length < fetchedRows) break;
        }
      } finally {
        // Fails only after another error, which the reader already has.
        await client.query('CLOSE part').catch(() => undefined);
      }
    },
    async close() {
      await client.end();
    },
  };
}
