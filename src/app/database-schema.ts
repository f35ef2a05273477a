import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import { openPostgres } from '../store/postgres-open.ts';
import { readPostgresVersion, readSqliteVersion, type SchemaVersion, shippedVersion } from '../store/db/schema-version.ts';
import { openSqlite } from '../store/sqlite-open.ts';

export interface SchemaState extends SchemaVersion {
  /** The schema version of this program. */
  shipped: number;
}

/** Looks at the database that the configuration names, without changing it. */
export async function readSchema({ dataDir, secrets: { databaseUrl } }: Config): Promise<SchemaState> {
  const found = databaseUrl === null ? readSqliteVersion(dataDir) : await readPostgresVersion(databaseUrl);
  return { ...found, shipped: await shippedVersion() };
}

/** Migrates the database to the shipped version and returns the previous one. Opening the database applies the migrations. */
export async function migrateStore(config: Config, clock: Clock): Promise<SchemaState> {
  const { databaseUrl } = config.secrets;
  const before = await readSchema(config);
  if (before.current === before.shipped) return before;
  const database = await (databaseUrl === null ? openSqlite(config.dataDir, clock) : openPostgres(databaseUrl, clock));
  await database.close();
  return before;
}
