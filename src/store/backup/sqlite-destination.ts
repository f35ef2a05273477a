import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { applicationId } from '../db/data-folder.ts';
import { migrationToSqlite } from '../db/dialect.ts';
import { migrationTable } from '../db/migrations.ts';
import { marks } from '../db/store-operation.ts';
import { type DatabaseDestination, listColumns, migrationsOf } from './database-destination.ts';

/** A new file that becomes the embedded database, and that only this user can read from the beginning. */
export function createSqliteFile(file: string): DatabaseDestination {
  closeSync(openSync(file, 'wx', 0o600));
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA synchronous = FULL; BEGIN`);
  return {
    async load(applied, parts) {
      database.exec(migrationTable);
      for (const { text } of await migrationsOf(applied)) database.exec(migrationToSqlite(text));
      let insert: ReturnType<DatabaseSync['prepare']> | null = null;
      let table = '';
      for await (const part of parts) {
        if (insert === null || part.table !== table) {
          const columns = listColumns(part);
          // Migrations add rows of their own, which are also in the backup.
          database.exec(`DELETE FROM ${part.table}`);
          insert = database.prepare(`INSERT INTO ${part.table} (${columns}) VALUES (${marks(part.columns.length)})`);
          table = part.table;
        }
        for (const row of part.rows) insert.run(...row);
      }
    },
    async commit() {
      database.exec('COMMIT');
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}
