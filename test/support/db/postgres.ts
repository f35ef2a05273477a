import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';

export { type PostgresOptions, PostgresServer } from './postgres-server.ts';

/**
 * The URL of a new, empty database on the server all tests share: the one of `ERRAND_TEST_DATABASE_URL`, whose user must be
 * allowed to create databases, or one that is started at the first call of a test run. Tests that crash the server start a
 * `PostgresServer` of their own and give its `url`.
 */
export async function createDatabase(serverUrl?: string): Promise<string> {
  const url = new URL(serverUrl ?? (await findSharedServer()));
  const name = `errand_test_${randomBytes(8).toString('hex')}`;
  await execute(url.href, `CREATE DATABASE ${name}`);
  url.pathname = name;
  return url.href;
}

/** Removes a database of `createDatabase`, whoever is still connected to it. */
export async function dropDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = 'postgres';
  await execute(url.href, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

async function findSharedServer(): Promise<string> {
  const given = process.env.ERRAND_TEST_DATABASE_URL;
  if (given) return given;
  const socket = connect(inject('postgresBroker'));
  await once(socket, 'connect');
  const answer = await text(socket);
  if (!answer.startsWith('postgresql:')) throw new Error(`the shared PostgreSQL server did not start: ${answer}`);
  return answer;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
