import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@errand/base/clock.ts';
import { holdPrefix } from '../db/backup-hold.ts';
import { databaseFile, refuseForeignFolder } from '../db/data-folder.ts';
import type { AppliedMigration } from '../db/migrations.ts';
import type { SqlValue } from '../db/store-operation.ts';
import { BackupProblem } from './backup-problem.ts';
import { checkKnown, type DatabaseSource, knownTables, partRows, lastingRows } from './database-source.ts';
import type { TablePart } from './table-stream.ts';

/** A service holds the write lock for milliseconds only. */
const busyMs = 60_000;

/** The embedded database of a folder. A service may use it at the same time, because readers of a write-ahead log block nobody. */
export async function openSqliteSource(folder: string, clock: Clock): Promise<DatabaseSource> {
  const file = join(folder, databaseFile);
  if (!existsSync(file))
    throw new BackupProblem(`ERRAND_DATA_DIR: ${folder} has no ${databaseFile}; there is nothing to back up`);
  await refuseForeignFolder(folder);
  const [writer, reader] = [new DatabaseSync(file, { timeout: busyMs }), new DatabaseSync(file, { timeout: busyMs })];
  const tables = await knownTables();

  function* readTable(table: string): Generator<TablePart> {
    const statement = reader.prepare(`SELECT * FROM ${table}`);
    const columns = statement.columns().map(({ name }) => name);
    statement.setReturnArrays(true);
    let rows: SqlValue[][] = [];
    for (const row of statement.iterate()) {
      if (rows.push(row as unknown as SqlValue[]) < partRows) continue;
      yield { table, columns, rows: lastingRows(table, rows) };
      rows = [];
    }
    yield { table, columns, rows: lastingRows(table, rows) };
  }

  return {
    async hold(id, holdMs) {
      const put = 'INSERT INTO instance (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
      writer.prepare(put).run(holdPrefix + id, String(clock.now() + holdMs));
    },
    async *read() {
      reader.exec('BEGIN');
      try {
        const exists = reader.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
        for (const table of tables) if (exists.get(table)) yield* readTable(table);
      } finally {
        reader.exec('ROLLBACK');
      }
    },
    async applied() {
      const rows = reader.prepare('SELECT version, digest FROM schema_migrations ORDER BY version').all();
      const applied = rows.map((row) => ({ ...row })) as unknown as AppliedMigration[];
      await checkKnown(applied);
      return applied;
    },
    async close(id) {
      try {
        writer.prepare('DELETE FROM instance WHERE name = ?').run(holdPrefix + id);
      } finally {
        reader.close();
        writer.close();
      }
    },
  };
}
