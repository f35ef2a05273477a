import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(readSqliteVersion(folder)).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('can be read while a service uses it', async () => {
    const database = await openSqlite(folder, systemClock);
    expect(readSqliteVersion(folder)).toBe(await shippedVersion());
    await database.close();
    expect(readSqliteVersion(folder)).toBe(await shippedVersion());
  });

  it('of an invalid file is rejected by its name', () => {
    writeFileSync(join(folder, databaseFile), 'this is not a database, whatever its name says');
    expect(() => readSqliteVersion(folder)).toThrow(StartFault);
  });
});

describe('the schema version of a PostgreSQL database', () => {
  it('is 0 while it is empty, and the shipped one after it was opened', async () => {
    const url = await createDatabase();
    expect(await readPostgresVersion(url)).toBe(0);
    await (await openPostgres(url, systemClock)).close();
    expect(await readPostgresVersion(url)).toBe(await shippedVersion());
    await dropDatabase(url);
  });
});
