import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { BareDatabase } from './bare-database.ts';
import { defineTables, type Piece } from './ceiling-work.ts';

/** node:sqlite with the service's durability: a write-ahead log that is synced at each commit. */
export function openBareSqlite(folder: string): BareDatabase {
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
  database.exec(defineTables('TEXT', 'WITHOUT ROWID'));
  const prepared = new Map<string, StatementSync>();
  const execute = (piece: Piece) => {
    for (const { sql, params } of piece) {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      statement.all(...params);
    }
  };
  return {
    lanes: 1,
    write(batch) {
      database.exec('BEGIN IMMEDIATE');
      for (const piece of batch) execute(piece);
      database.exec('COMMIT');
      return Promise.resolve();
    },
    read(piece) {
      execute(piece);
      return Promise.resolve();
    },
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}
