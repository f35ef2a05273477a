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

/**
 * The migrations left to apply. A database with versions this program does not know, or with a different text of one, was written by
 * another or newer program and is left unchanged.
 */
export function pendingMigrations(shipped: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byVersion = new Map(shipped.map((migration) => [migration.version, migration]));
  for (const { version, digest } of applied) {
    const known = byVersion.get(version);
    if (!known)
      throw new Error(`the database has schema version ${version}, which this version of errand does not know; use a newer one`);
    if (known.digest !== digest)
      throw new Error(`the database has another text of migration ${known.name}; it was not made by this errand`);
  }
  const done = new Set(applied.map(({ version }) => version));
  return shipped.filter(({ version }) => !done.has(version));
}
