import { type AppliedMigration, loadMigrations, type Migration } from '../db/migrations.ts';
import type { TablePart } from './table-stream.ts';

/** A database filled by a restore. Nothing in it is visible before `commit`. */
export interface DatabaseDestination {
  /** Creates the schema of these migrations, then adds the rows. */
  load(applied: readonly AppliedMigration[], parts: AsyncIterable<TablePart>): Promise<void>;
  commit(): Promise<void>;
  /** Closes it. Without `commit`, nothing has changed. */
  close(): Promise<void>;
}

/** The shipped migrations among the applied ones, in order. */
export async function migrationsOf(applied: readonly AppliedMigration[]): Promise<Migration[]> {
  const versions = new Set(applied.map(({ version }) => version));
  return (await loadMigrations()).filter(({ version }) => versions.has(version));
}

/** A column list. The names come from a backup, so anything that is not a plain name is rejected. */
export function listColumns({ table, columns }: TablePart): string {
  const strange = [table, ...columns].find((name) => !/^[a-z_][a-z0-9_]*$/.test(name));
  if (strange !== undefined) throw new Error(`not the name of a table or column: ${JSON.stringify(strange)}`);
  return columns.map((name) => `"${name}"`).join(', ');
}
