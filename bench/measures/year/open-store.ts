import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { databaseFile } from '../../../src/store/db/data-folder.ts';

export type StoredRow = Record<string, unknown>;

/** A connection to the store of a service that is down, past it. */
export interface OpenStore extends AsyncDisposable {
  isEmbedded: boolean;
  query(statement: string): Promise<StoredRow[]>;
}

function openEmbedded(dataDir: string): OpenStore {
  const database = new DatabaseSync(path.join(dataDir, databaseFile), { timeout: 60_000 });
  // What a failing machine would lose is filled in again.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY');
  return {
    isEmbedded: true,
    query: (statement) => Promise.resolve(database.prepare(statement).all()),
    [Symbol.asyncDispose]: () => Promise.resolve(database.close()),
  };
}

export async function openStore(dataDir: string, databaseUrl: string | undefined): Promise<OpenStore> {
  if (databaseUrl === undefined) return openEmbedded(dataDir);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    isEmbedded: false,
    query: async (statement) => (await client.query<StoredRow>(statement)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
