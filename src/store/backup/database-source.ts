import { holdPrefix } from '../db/backup-hold.ts';
import { type AppliedMigration, loadMigrations, pendingMigrations } from '../db/migrations.ts';
import type { SqlValue } from '../db/store-operation.ts';
import { BackupProblem } from './backup-problem.ts';
import type { TablePart } from './table-stream.ts';

/** A database that a backup reads, whether or not a service uses it. */
export interface DatabaseSource {
  /** From now on for `holdMs`, nothing is deleted that a snapshot may name. */
  hold(id: string, holdMs: number): Promise<void>;
  /** All tables as they are at one point in time, the moment of the first part. */
  read(): AsyncGenerator<TablePart>;
  applied(): Promise<AppliedMigration[]>;
  /** Ends the hold and closes the database. */
  close(id: string): Promise<void>;
}

/** Rows of one part. */
export const partRows = 500;

export const migrationsTable = 'schema_migrations';

/** The tables that the shipped migrations create. */
export async function knownTables(): Promise<string[]> {
  const names = (await loadMigrations()).flatMap(({ text }) => [...text.matchAll(/^CREATE TABLE (\w+)/gm)]);
  return [migrationsTable, ...names.map(([, name]) => name ?? '')];
}

/** Throws unless this program knows every migration of the database. */
export async function checkKnown(applied: readonly AppliedMigration[]): Promise<void> {
  try {
    pendingMigrations(await loadMigrations(), applied);
  } catch (error) {
    throw new BackupProblem((error as Error).message, { cause: error });
  }
}

/** The rows that belong into a backup: not the notes of backups that are running. */
export function withoutHolds(table: string, rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] {
  return table === 'instance' ? rows.filter(([name]) => !String(name).startsWith(holdPrefix)) : rows;
}
