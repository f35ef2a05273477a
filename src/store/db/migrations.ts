import { readdir, readFile } from 'node:fs/promises';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';

const folder = new URL('../../../migrations/', import.meta.url);

export interface Migration {
  version: number;
  name: string;
  text: string;
  digest: string;
}

/** The shipped migrations in order. A released file is never changed. */
export async function loadMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { version: Number(name.slice(0, 4)), name, text, digest: digestSecret(text) };
    }),
  );
}

export interface AppliedMigration {
  version: number;
  digest: string;
}

export const migrationTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, applied_at BIGINT NOT NULL)`;

/** A migration as recorded in a database. */
export interface StoredMigration extends AppliedMigration {
  name: string;
}

export const selectApplied = 'SELECT version, name, digest FROM schema_migrations ORDER BY version';

/**
 * The oldest schema version that programs need to work with a database that has this migration. A contraction has it at the end of its name
 * (`0052_drop_old_titles_needs_0049.sql`), because programs without the file read it, too; 0 for an addition.
 */
export function neededVersion(name: string): number {
  return Number(/_needs_(\d{4})\.sql$/.exec(name)?.[1] ?? 0);
}

/** Throws if the database has a migration that this program does not have, or another text of one. */
export function refuseUnknown(shipped: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const byVersion = new Map(shipped.map((migration) => [migration.version, migration]));
  for (const { version, digest } of applied) {
    const known = byVersion.get(version);
    if (!known)
      throw new Error(`the database has schema version ${version}, which this version of errand does not know; use a newer one`);
    if (known.digest !== digest)
      throw new Error(`the database has another text of migration ${known.name}; it was not made by this errand`);
  }
}

/**
 * The migrations left to apply. Later ones of a newer version are accepted unless they need one, so that two versions can run side by side
 * and the older one can come back. Any other database was made by another program and is left unchanged: throws.
 */
export function pendingMigrations(shipped: readonly Migration[], applied: readonly StoredMigration[]): Migration[] {
  const newest = shipped.at(-1)?.version ?? 0;
  const isLater = ({ version, name }: StoredMigration) => version > newest && neededVersion(name) <= newest;
  const done = new Set(applied.map(({ version }) => version));
  const pending = shipped.filter(({ version }) => !done.has(version));
  // A newer version has applied all of ours before its own.
  refuseUnknown(shipped, pending.length > 0 ? applied : applied.filter((one) => !isLater(one)));
  return pending;
}
