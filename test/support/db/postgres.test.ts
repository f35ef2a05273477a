import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createDatabase, createMigratedDatabase, dropDatabase, PostgresServer } from './postgres.ts';

async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

describe('the shared server', () => {
  it('gives each caller a separate empty database', async () => {
    const [first, second] = await Promise.all([createDatabase(), createDatabase()]);
    await query(first, 'CREATE TABLE notes (text text)');
    await expect(query(second, 'SELECT * FROM notes')).rejects.toThrow('does not exist');
    expect(await query(second, "SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'")).toEqual([[0]]);
    await Promise.all([dropDatabase(first), dropDatabase(second)]);
  });

  it('gives each caller a database with the schema and without accounts', async () => {
    const [first, second] = await Promise.all([createMigratedDatabase(), createMigratedDatabase()]);
    expect(await query(first, 'SELECT count(*)::int FROM accounts')).toEqual([[0]]);
    await query(first, 'DROP TABLE schema_migrations');
    expect((await query(second, 'SELECT version FROM schema_migrations')).length).toBeGreaterThan(0);
    await Promise.all([dropDatabase(first), dropDatabase(second)]);
  });

  it('drops a database even while a client is connected', async () => {
    const url = await createDatabase();
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await dropDatabase(url);
    await expect(query(url, 'SELECT 1')).rejects.toThrow('does not exist');
    await client.end();
  });
});

describe("a server of a test's own", () => {
  it('is durable as in production and sorts as English does, so that a forgotten collation shows', async () => {
    await using server = await PostgresServer.start({ settings: { max_connections: '20' } });
    const settings = await query(
      server.url,
      "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'max_connections', 'synchronous_commit') ORDER BY 1",
    );
    expect(settings).toEqual([
      ['fsync', 'on'],
      ['full_page_writes', 'on'],
      ['max_connections', '20'],
      ['synchronous_commit', 'on'],
    ]);
    const letters = "(VALUES ('B'), ('a'), ('c')) AS letters (letter)";
    expect(await query(server.url, `SELECT letter FROM ${letters} ORDER BY letter`)).toEqual([['a'], ['B'], ['c']]);
    expect(await query(server.url, `SELECT letter FROM ${letters} ORDER BY letter COLLATE "C"`)).toEqual([['B'], ['a'], ['c']]);
  });

  it('restarts at the same address with every committed row after it was killed while working', async () => {
    await using server = await PostgresServer.start();
    const url = await createDatabase(server.url);
    await query(url, 'CREATE TABLE notes (id int)');
    const open = new pg.Client({ connectionString: url });
    open.on('error', () => undefined);
    await open.connect();
    await open.query('BEGIN');
    await open.query('INSERT INTO notes VALUES (-1)');
    await query(url, 'INSERT INTO notes SELECT generate_series(1, 1000)');
    await server.kill();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await server.restart();
    expect(await query(url, 'SELECT count(*)::int, min(id) FROM notes')).toEqual([[1000, 1]]);
    await server.restart();
    expect(await query(url, 'SELECT count(*)::int FROM notes')).toEqual([[1000]]);
  });
});
