import { readdirSync, readFileSync } from 'node:fs';
import type { OpenStore } from '../support/db/databases.ts';

const migrations = new URL('../../migrations/', import.meta.url);

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}

/** The columns in which a text is found anywhere in the database, as `table.column`. */
export async function findStored(store: OpenStore, text: string): Promise<string[]> {
  const schema = readdirSync(migrations).map((name) => readFileSync(new URL(name, migrations), 'utf8'));
  const tables = [...schema.join('\n').matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);
  const found = new Set<string>();
  for (const table of tables) {
    for (const row of await store.query(`SELECT * FROM ${table}`)) {
      for (const [column, value] of Object.entries(row)) if (textOf(value).includes(text)) found.add(`${table}.${column}`);
    }
  }
  return [...found];
}
