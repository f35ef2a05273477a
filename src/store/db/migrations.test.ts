import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Child } from '../../../test/support/process/child.ts';
import { compiledCode } from '../../../test/support/process/compiled-code.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { createDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
import { createTasks } from '../../../test/support/db/store-samples.ts';
import { systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { applicationId } from './data-folder.ts';
import { loadMigrations, type Migration, pendingMigrations, refuseUnknown, type StoredMigration } from './migrations.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { openPostgres } from '../postgres-open.ts';
import { openSqlite } from '../sqlite-open.ts';

const storeProcess = path.resolve(import.meta.dirname, '../../../test/support/db/store-process.ts');

/** A name that the last table-creating migration needs, so that it fails there, and how many come before it. */
function lastTable(migrations: readonly Migration[]): { obstacle: string; before: number } {
  const tables = migrations.flatMap(({ text, version }) =>
    [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => ({ obstacle: name, before: version - 1 })),
  );
  return tables.at(-1) ?? { obstacle: '', before: 0 };
}

describe('the shipped migrations', () => {
  it('have consecutive numbers, and the digests of their texts', async () => {
    const migrations = await loadMigrations();
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
    for (const { name, text, digest } of migrations) {
      expect(text).toBe(readFileSync(new URL(`../../../migrations/${name}`, import.meta.url), 'utf8'));
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('partition every key of a big table by account', async () => {
    const text = (await loadMigrations()).map((migration) => migration.text).join('\n');
    for (const [, name = '', columns = ''] of text.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\)/g)) {
      // Small tables that refer to an account or belong to the whole instance; they exist on every node of a cluster.
      if (
        [
          'instance',
          'instance_keys',
          'model_settings',
          'account_deletions',
          'workers',
          'policies',
          'accounts',
          'key_digests',
          'signing_keys',
          'teams',
          'team_members',
          'team_invitations',
          'rate_windows',
          'oauth_devices',
          'attempts',
          'bridges',
        ].includes(name)
      )
        continue;
      expect(columns, name).toMatch(/PRIMARY KEY \(account_id[,)]/);
    }
  });
});

describe('the documentation', () => {
  it('names every table', async () => {
    const text = (await loadMigrations()).map((migration) => migration.text).join('\n');
    const tables = [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name ?? '');
    const page = readFileSync(new URL('../../../docs/operate/storage.md', import.meta.url), 'utf8');
    for (const table of [...tables, 'schema_migrations']) expect(page).toContain(`| \`${table}\` |`);
  });
});

describe('pendingMigrations', () => {
  const shipped = [1, 2, 3].map(
    (version): Migration => ({ version, name: `000${version}_x.sql`, text: '', digest: `d${version}` }),
  );
  const stored = (version: number, name = `000${version}_x.sql`): StoredMigration => ({ version, name, digest: `d${version}` });

  it('are those that have not been applied', () => {
    expect(pendingMigrations(shipped, [])).toEqual(shipped);
    expect(pendingMigrations(shipped, [stored(1)])).toEqual(shipped.slice(1));
    expect(pendingMigrations(shipped, [stored(2), stored(1)])).toEqual(shipped.slice(2));
  });

  it('are none for the database of a newer version whose migrations only add', () => {
    const all = shipped.map(({ version }) => stored(version));
    expect(pendingMigrations(shipped, [...all, stored(4)])).toEqual([]);
    expect(pendingMigrations(shipped, [...all, stored(4, '0004_drop_x_needs_0003.sql')])).toEqual([]);
  });

  it.each([
    ['which needs a newer version', [1, 2, 3], '0004_drop_x_needs_0004.sql'],
    ['which lacks a migration of this one', [1, 3], '0004_x.sql'],
  ])('are rejected for a newer database %s', (_, versions, name) => {
    expect(() => pendingMigrations(shipped, [...versions.map((version) => stored(version)), stored(4, name)])).toThrow(
      'schema version 4, which this version of errand does not know',
    );
  });

  it('are rejected for a database with different texts', () => {
    const other = { ...stored(2), digest: 'other' };
    expect(() => pendingMigrations(shipped, [other])).toThrow('another text of migration 0002_x.sql');
  });
});

describe('refuseUnknown', () => {
  it('rejects any newer database, because a backup of it would lack what this version does not know', () => {
    expect(() => refuseUnknown([], [{ version: 1, digest: 'd1' }])).toThrow('schema version 1, which this version');
  });
});

describe('migrating SQLite', () => {
  it('leaves nothing half done when it fails in the middle, and resumes where it stopped', async () => {
    const folder = createFolder('data');
    const { obstacle, before } = lastTable(await loadMigrations());
    const file = new DatabaseSync(path.join(folder, 'errand.db'));
    file.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE ${obstacle} (x)`);
    await expect(openSqlite(folder, systemClock)).rejects.toThrow(/^ERRAND_DATA_DIR: cannot use .*already exists/);
    const versions = file.prepare('SELECT version FROM schema_migrations').all().length;
    expect(versions).toBe(before);
    file.exec(`DROP TABLE ${obstacle}`);
    file.close();
    for (let start = 0; start < 2; start += 1) {
      const database = await openSqlite(folder, systemClock);
      expect(await createTasks(database, 'a1', 1)).toHaveLength(1);
      await database.close();
    }
  });
});

describe('migrating PostgreSQL', () => {
  let url = '';
  let direct = new PostgresConnection('');
  beforeAll(async () => {
    url = await createDatabase();
    direct = new PostgresConnection(url);
  });
  afterAll(async () => {
    await direct.close();
    await dropDatabase(url);
  });
  const query = async (text: string) => (await (await direct.get()).query<Record<string, unknown>>(text)).rows;

  it('leaves nothing half done when it fails in the middle, and resumes where it stopped', async () => {
    const { obstacle, before } = lastTable(await loadMigrations());
    await query(`CREATE TABLE ${obstacle} (x int)`);
    const refusal = await openPostgres(url, systemClock).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartFault);
    expect((refusal as Error).message).toMatch(/^ERRAND_DATABASE_URL: cannot use the database: .*already exists/);
    expect(await query('SELECT version FROM schema_migrations')).toHaveLength(before);
    await query(`DROP TABLE ${obstacle}`);
  });

  it('is done once when several processes start at the same time', async () => {
    await query('DROP SCHEMA public CASCADE');
    await query('CREATE SCHEMA public');
    const other = await Child.start(process.execPath, [storeProcess, url], { env: compiledCode, cwd: import.meta.dirname });
    const databases = await Promise.all([openPostgres(url, systemClock), openPostgres(url, systemClock)]);
    await other.waitForLine(({ text }) => text === 'open');
    other.signal('SIGKILL');
    await other.ended;
    const applied = await query('SELECT version FROM schema_migrations ORDER BY version');
    expect(applied).toHaveLength((await loadMigrations()).length);
    await Promise.all(databases.map((database) => createTasks(database, 'a1', 1)));
    await Promise.all(databases.map((database) => database.close()));
  });

  it('waits for a process that migrates, and takes over when that is killed', async () => {
    // The lock of a migration under way, held by a session that is then cut off.
    const holder = new PostgresConnection(url);
    await (await holder.get()).query('SELECT pg_advisory_lock(4542534)');
    const [{ pid } = { pid: 0 }] = (await (await holder.get()).query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    const opening = openPostgres(url, systemClock);
    const isWaiting = async () => (await query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length > 0;
    while (!(await isWaiting()));
    await query(`SELECT pg_terminate_backend(${pid})`);
    const database = await opening;
    expect(await createTasks(database, 'a1', 1)).toHaveLength(1);
    await database.close();
    await holder.close();
  });

  it('rejects a database of a newer version and leaves it unchanged', async () => {
    await query('UPDATE schema_migrations SET version = 9000 WHERE version = 1');
    await expect(openPostgres(url, systemClock)).rejects.toThrow(
      'ERRAND_DATABASE_URL: cannot use the database: the database has schema version 9000, which this version of errand does not know',
    );
    expect(await query('SELECT version FROM schema_migrations WHERE version = 1')).toEqual([]);
  });

  it('names the wrong setting when there is no server, without revealing the password', async () => {
    const refusal = await openPostgres('postgres://me:canary@127.0.0.1:1/nothing', systemClock).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartFault);
    expect((refusal as Error).message).toMatch(/^ERRAND_DATABASE_URL: cannot use the database: /);
    expect((refusal as Error).message).not.toContain('canary');
  });
});
