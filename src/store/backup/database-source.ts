import { holdPrefix } from '../db/backup-hold.ts';
import { type AppliedMigration, loadMigrations, refuseUnknown } from '../db/migrations.ts';
import type { SqlValue } from '../db/store-operation.ts';
import { BackupProblem } from './backup-problem.ts';
import type { TablePart } from './table-stream.ts';

/** A database read by a backup, while a service uses it or not. */
export interface DatabaseSource {
  /** Prevents deletion of anything that a snapshot may refer to, for `holdMs` from now. */
  hold(id: string, holdMs: number): Promise<void>;
  /** All tables as of one point in time: when the first part is read. */
  read(): AsyncGenerator<TablePart>;
  applied(): Promise<AppliedMigration[]>;
  /** Ends the hold and closes the database. */
  close(id: string): Promise<void>;
}

/** Number of rows in one part. */
export const partRows = 500;

export const migrationsTable = 'schema_migrations';

/** The tables that the shipped migrations create. */
export async function knownTables(): Promise<string[]> {
  const names = (await loadMigrations()).flatMap(({ text }) => [...text.matchAll(/^CREATE TABLE (\w+)/gm)]);
  return [migrationsTable, ...names.map(([, name]) => name ?? '')];
}

/** Throws if the database has a migration that this program does not know: it would miss tables, and nobody could restore it. */
export async function checkKnown(applied: readonly AppliedMigration[]): Promise<void> {
  try {
    refuseUnknown(await loadMigrations(), applied);
  } catch (error) {
    throw new BackupProblem((error as Error).message, { cause: error });
  }
}

/** The rows to back up: all except those about running processes, which are workers and the holds of backups. */
export function lastingRows(table: string, rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] {
  if (table === 'workers') return [];
  return table === 'instance' ? rows.filter(([name]) => !String(name).startsWith(holdPrefix)) : rows;
}
