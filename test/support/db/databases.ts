import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { databaseFile } from '../../../src/store/db/data-folder.ts';
import { toPostgres } from '../../../src/store/db/dialect.ts';
import type { RowValues, SqlValue } from '../../../src/store/db/store-operation.ts';
import { PostgresConnection } from '../../../src/store/db/postgres-connection.ts';
import { openPostgres } from '../../../src/store/postgres-open.ts';
import { openSqlite } from '../../../src/store/sqlite-open.ts';
import { removeFolder } from '../process/leftovers.ts';
import { createDataFolder } from '../service/data-folder.ts';
import { findFastFolder } from './fast-folder.ts';
import { createMigratedDatabase, dropDatabase } from './postgres.ts';
import { RemoteStore } from './remote-store.ts';

const migrations = new URL('../../../migrations/', import.meta.url);

export type Engine = 'sqlite' | 'postgres';

/** A store as its operations see it, with direct access to its tables. */
export interface OpenStore {
  readonly engine: Engine;
  readonly database: Database;
  /** What other processes would use: a separate store on the same PostgreSQL database, the same object on SQLite. */
  readonly others: readonly Database[];
  /** Starts real processes on the same database, which the caller kills; none on SQLite, which only one process can open. */
  startProcesses(count: number): Promise<RemoteStore[]>;
  /** Plain SQL, bypassing the store, `?` for parameters. */
  query(text: string, ...params: SqlValue[]): Promise<RowValues[]>;
  /** Deletes everything except what the migrations themselves insert, which belongs to no account. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Empties every table of the schema except the record of its migrations. */
function clearingStatements(): string {
  const text = readdirSync(migrations).map((name) => readFileSync(new URL(name, migrations), 'utf8'));
  const tables = [...text.join('\n').matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);
  const emptied = (table: string) =>
    table === 'oauth_apps' ? "DELETE FROM oauth_apps WHERE account_id <> '';" : `DELETE FROM ${table};`;
  return `BEGIN;${tables.map(emptied).join('')}COMMIT`;
}

const clearing = clearingStatements();

async function openSqliteStore(): Promise<OpenStore> {
  const folder = createDataFolder('store', findFastFolder());
  const database = await openSqlite(folder, systemClock);
  const direct = new DatabaseSync(join(folder, databaseFile), { timeout: 240_000 });
  return {
    engine: 'sqlite',
    database,
    others: [database, database],
    startProcesses: () => Promise.resolve([]),
    query: (text, ...params) => Promise.resolve(direct.prepare(text).all(...params) as RowValues[]),
    clear: () => Promise.resolve(direct.exec(clearing)),
    async close() {
      direct.close();
      await database.close();
      removeFolder(folder);
    },
  };
}

async function openPostgresStore(): Promise<OpenStore> {
  const url = await createMigratedDatabase();
  const database = await openPostgres(url, systemClock);
  const others = await Promise.all([openPostgres(url, systemClock), openPostgres(url, systemClock)]);
  const direct = new PostgresConnection(url);
  return {
    engine: 'postgres',
    database,
    others,
    startProcesses: (count) => Promise.all(Array.from({ length: count }, () => RemoteStore.start(url))),
    query: async (text, ...params) => (await (await direct.get()).query<RowValues>(toPostgres(text), params)).rows,
    clear: async () => void (await (await direct.get()).query(clearing)),
    async close() {
      await direct.close();
      await Promise.all([database, ...others].map((store) => store.close()));
      await dropDatabase(url);
    },
  };
}

export function openStore(engine: Engine): Promise<OpenStore> {
  return engine === 'sqlite' ? openSqliteStore() : openPostgresStore();
}

/** Runs the same tests on both databases; each test starts with the tables of a new instance. */
export function describeStores(name: string, suite: (store: OpenStore) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, (engine) => {
    let opened: OpenStore | undefined;
    const store = new Proxy({} as OpenStore, {
      get: (_, property) => Reflect.get(opened ?? {}, property) as unknown,
    });
    beforeAll(async () => {
      opened = await openStore(engine);
    });
    beforeEach(() => store.clear());
    afterAll(() => opened?.close());
    suite(store);
  });
}
