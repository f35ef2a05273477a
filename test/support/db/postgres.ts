import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { copyDatabase, type SharedServer } from './postgres-databases.ts';

export { dropDatabase } from './postgres-databases.ts';
export { type PostgresOptions, PostgresServer } from './postgres-server.ts';

/**
 * The URL of a new, empty database on the server that all tests share: `ERRAND_TEST_DATABASE_URL`, whose user must be allowed to create
 * databases, or one that is started on demand. Tests that crash the server start a `PostgresServer` and pass its `url`.
 */
export async function createDatabase(serverUrl?: string): Promise<string> {
  return copyDatabase(serverUrl ?? (await findSharedServer()).url, 'template1');
}

/** The URL of a new database with the current schema, copied from a template in a fraction of the time that all migrations take. */
export async function createMigratedDatabase(): Promise<string> {
  const { url, template } = await findSharedServer();
  return copyDatabase(url, template);
}

async function findSharedServer(): Promise<SharedServer> {
  const socket = connect(inject('postgresBroker'));
  await once(socket, 'connect');
  const answer = await text(socket);
  if (!answer.startsWith('{')) throw new Error(`the shared PostgreSQL server did not start: ${answer}`);
  return JSON.parse(answer) as SharedServer;
}
