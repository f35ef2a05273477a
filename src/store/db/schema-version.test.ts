import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { createDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
import { databaseFile } from './data-folder.ts';
import { openPostgres } from '../postgres-open.ts';
import { readPostgresVersion, readSqliteVersion, shippedVersion } from './schema-version.ts';
import { openSqlite } from '../sqlite-open.ts';

describe('the schema version of an embedded database', () => {
  let folder = '';
  beforeEach(() => {
    folder = createFolder('schema');
  });
  afterEach(() => removeFolder(folder));

  it('is 0 if there is none, and reading it creates none', () => {
    expect(readSqliteVersion(folder)).toEqual({ current: 0, needed: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('can be read while a service uses it', async () => {
    const database = await openSqlite(folder, systemClock);
    expect(readSqliteVersion(folder).current).toBe(await shippedVersion());
    await database.close();
    expect(readSqliteVersion(folder).current).toBe(await shippedVersion());
  });

  it('is told with the oldest one that can work with it, which a contraction names', async () => {
    await (await openSqlite(folder, systemClock)).close();
    const database = new DatabaseSync(join(folder, databaseFile));
    database.exec(
      "INSERT INTO schema_migrations VALUES (9001, '9001_drop_titles_needs_0999.sql', 'd', 1), (9002, '9002_x.sql', 'd', 1)",
    );
    database.close();
    expect(readSqliteVersion(folder)).toEqual({ current: 9002, needed: 999 });
  });

  it('of an invalid file is rejected by its name', () => {
    writeFileSync(join(folder, databaseFile), 'this is not a database, whatever its name says');
    expect(() => readSqliteVersion(folder)).toThrow(StartFault);
  });
});

describe('the schema version of a PostgreSQL database', () => {
  it('is 0 while it is empty, and the shipped one after it was opened', async () => {
    const url = await createDatabase();
    expect(await readPostgresVersion(url)).toEqual({ current: 0, needed: 0 });
    await (await openPostgres(url, systemClock)).close();
    expect((await readPostgresVersion(url)).current).toBe(await shippedVersion());
    await dropDatabase(url);
  });
});
