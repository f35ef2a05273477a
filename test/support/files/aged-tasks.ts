import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { databaseFile } from '../../../src/store/db/data-folder.ts';

/** Where a service has its tasks. */
export interface ServiceStore {
  dataDir: string;
  databaseUrl: string | null;
}

/** The rows of a statement on the database of a service, past it. */
export async function queryStore({ dataDir, databaseUrl }: ServiceStore, statement: string): Promise<Record<string, unknown>[]> {
  if (databaseUrl === null) {
    const database = new DatabaseSync(join(dataDir, databaseFile));
    try {
      return database.prepare(statement).all();
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** As if nothing had happened to the tasks, nor to these folders of theirs, for a month; the service is down. */
export async function ageTasks(store: ServiceStore, folders: readonly string[]): Promise<void> {
  const monthAgo = new Date(Date.now() - 30 * 86_400_000);
  await queryStore(store, `UPDATE tasks SET updated_at = ${monthAgo.getTime()}, last_event_at = ${monthAgo.getTime()}`);
  for (const folder of folders) utimesSync(folder, monthAgo, monthAgo);
}

/** Where in the data folder the workspace of a task is; null if it is packed. */
export function findFolder(dataDir: string, taskId: string): string | null {
  const top = join(dataDir, 'workspaces');
  const found = existsSync(top) && readdirSync(top, { recursive: true, withFileTypes: true }).find(({ name }) => name === taskId);
  return found ? join(found.parentPath, taskId) : null;
}
