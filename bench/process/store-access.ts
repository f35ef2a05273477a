import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../src/store/db/data-folder.ts';
import { query } from './query.ts';

/** The rows of one statement on the store of a service, past it; an embedded store can only be written while the service is down. */
export function runOnStore(
  { dataDir }: { dataDir: string },
  databaseUrl: string | undefined,
  statement: string,
): Promise<Record<string, unknown>[]> {
  if (databaseUrl !== undefined) return query(databaseUrl, statement);
  const database = new DatabaseSync(path.join(dataDir, databaseFile), { timeout: 60_000 });
  try {
    return Promise.resolve(database.prepare(statement).all());
  } finally {
    database.close();
  }
}
