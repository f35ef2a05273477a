import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The server that all tests share, and a database there with the schema and nothing in it. */
export interface SharedServer {
  url: string;
  template: string;
}

/** The URL of a new database on a server, copied from one without connections. */
export async function copyDatabase(serverUrl: string, template: string): Promise<string> {
  const url = new URL(serverUrl);
  const name = `errand_test_${randomBytes(8).toString('hex')}`;
  await execute(url.href, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  url.pathname = name;
  return url.href;
}

/** Deletes a database of `copyDatabase`, even with open connections. */
export async function dropDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = 'postgres';
  await execute(url.href, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
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
