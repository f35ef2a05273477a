import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import { openPostgres } from '../store/postgres-open.ts';
import { readPostgresVersion, readSqliteVersion, shippedVersion } from '../store/db/schema-version.ts';
import { openSqlite } from '../store/sqlite-open.ts';

export interface SchemaState {
  /** Of the database as it is; 0 for an empty or missing one. */
  current: number;
  /** What this program works with. */
  shipped: number;
}

/** Looks at the database that the configuration names, without changing it. */
export async function readSchema({ dataDir, secrets: { databaseUrl } }: Config): Promise<SchemaState> {
  const current = databaseUrl === null ? readSqliteVersion(dataDir) : await readPostgresVersion(databaseUrl);
  return { current, shipped: await shippedVersion() };
}

/** Brings the database to the shipped version and returns what it was before. Opening it is what applies the migrations. */
export async function migrateStore(config: Config, clock: Clock): Promise<SchemaState> {
  const { databaseUrl } = config.secrets;
  const before = await readSchema(config);
  if (before.current === before.shipped) return before;
  const database = await (databaseUrl === null ? openSqlite(config.dataDir, clock) : openPostgres(databaseUrl, clock));
  await database.close();
  return before;
}
