import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { applicationId } from '../../src/store/db/data-folder.ts';
import { migrationToSqlite } from '../../src/store/db/dialect.ts';
import { loadMigrations, migrationTable } from '../../src/store/db/migrations.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { isSwiftInstalled, SwiftServer } from '../support/files/swift.ts';
import { createDatabase } from '../support/db/postgres.ts';
import { someText } from '../support/http/matchers.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, type Json, ServiceClient } from '../support/service/service-client.ts';

const hour = 3_600_000;

function listKeys(target: string): string[] {
  const entries = readdirSync(target, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1));
}

async function upload(client: ServiceClient, content: string | Buffer): Promise<string> {
  const { upload_url: url, file } = await client.ask('file.upload', { filename: 'notes.txt' });
  const answer = await fetch(String(url), { method: 'PUT', body: content });
  expect(answer.status).toBe(200);
  return String((file as Json)['id']);
}

/** What a killed backup says of itself becomes as old as the next night. */
function ageActivities(target: string): void {
  for (const name of readdirSync(join(target, 'activities'))) {
    const file = join(target, 'activities', name);
    const mark = JSON.parse(readFileSync(file, 'utf8')) as { renewed_at: number };
    writeFileSync(file, JSON.stringify({ ...mark, renewed_at: mark.renewed_at - hour }));
  }
}

/** Backups of one instance, each with a file that only it has, and one that all have. */
async function makeBackups(cli: CliUnderTest, target: string, env: Record<string, string> = {}): Promise<string[]> {
  const service = await LocalService.start({ dataDir: cli.dataDir, env: { ERRAND_RATE_LIMITS: 'off' } });
  const client = new ServiceClient(service);
  await client.createTask('write hello.md with hello');
  await upload(client, 'a file of all');
  const ids: string[] = [];
  for (let number = 1; number <= 3; number++) {
    const file = await upload(client, `a file of backup ${number}`);
    ids.push(String((await cli.runJson(['backup', target], env)).backup_id));
    await client.ask('file.delete', { file_id: file });
  }
  await service.end();
  return ids;
}

describe('errand backup prune', () => {
  const cli = new CliUnderTest();
  const made = createFolder('made');
  let [first, second, third] = ['', '', ''];
  beforeAll(async () => {
    [first = '', second = '', third = ''] = await makeBackups(cli, made);
  });
  const copyTarget = () => {
    const target = createFolder('prune');
    cpSync(made, target, { recursive: true });
    return target;
  };
  const prune = (target: string, ...options: string[]) => cli.runJson(['backup', 'prune', target, ...options]);
  const readFiles = (target: string) =>
    listKeys(target)
      .filter((key) => key.startsWith('files/'))
      .map((key) => readFileSync(join(target, key), 'utf8'))
      .filter((text) => text.startsWith('a file'))
      .toSorted();

  it('leaves the newest backups complete, and nothing that only the others had', async () => {
    const target = copyTarget();
    expect(readFiles(target)).toEqual(['a file of all', 'a file of backup 1', 'a file of backup 2', 'a file of backup 3']);
    expect(await prune(target, '--keep', '2')).toMatchObject({ code: 0, removed: [first], remaining: [second, third] });
    expect(readFiles(target)).toEqual(['a file of all', 'a file of backup 2', 'a file of backup 3']);
    expect(listKeys(target).filter((key) => key.includes(first))).toEqual([]);
    for (const id of [second, third]) {
      expect(await cli.run(['backup', 'verify', target, '--backup', id])).toMatchObject({ code: 0 });
    }
    expect(readdirSync(target).toSorted()).toEqual(['backups', 'errand-backup.json', 'files', 'workspaces']);
  });

  it('keeps what was made in the given days, and the newest backup however old it is', async () => {
    const target = copyTarget();
    expect(await prune(target, '--keep-days', '1')).toMatchObject({ code: 0, removed: [], files_removed: 0 });
    // Nothing is newer than now.
    expect(await prune(target, '--keep-days', '0')).toMatchObject({ code: 0, removed: [first, second], remaining: [third] });
  });

  it('keeps what either of two rules keeps', async () => {
    expect(await prune(copyTarget(), '--keep', '1', '--keep-days', '30')).toMatchObject({ code: 0, removed: [] });
    expect(await prune(copyTarget(), '--keep', '2', '--keep-days', '0')).toMatchObject({ code: 0, removed: [first] });
  });

  it.each([
    [[], /--keep N or --keep-days DAYS is missing/],
    [['--keep', '0'], /--keep must be a number from 1 up/],
    [['--keep', 'x'], /--keep must be/],
    [['--keep-days', '1.5'], /--keep-days must be a number from 0 up/],
  ])('asked with %j removes nothing and says what it needs', async (options, message) => {
    expect(await cli.run(['backup', 'prune', made, ...options])).toMatchObject({ code: 64, stderr: someText(message) });
    expect(readFiles(made)).toHaveLength(4);
  });

  it('removes nothing while a remaining backup cannot be read, because its files would go', async () => {
    const target = copyTarget();
    writeFileSync(join(target, 'backups', second, 'files'), 'damaged');
    const before = listKeys(target);
    expect(await cli.run(['backup', 'prune', target, '--keep', '2'])).toMatchObject({ code: 1, stderr: someText(/is damaged/) });
    expect(listKeys(target)).toEqual(before);
  });

  it.each([
    ['does not run beside a backup', 'backup', (target: string) => ['backup', 'prune', target, '--keep', '1']],
    ['keeps a backup from beginning beside it', 'prune', (target: string) => ['backup', target]],
  ])('%s', async (_, kind, command) => {
    const target = copyTarget();
    mkdirSync(join(target, 'activities'));
    writeFileSync(join(target, 'activities', 'other'), JSON.stringify({ kind, renewed_at: Date.now() }));
    const before = listKeys(target);
    expect(await cli.run(command(target))).toMatchObject({
      code: 1,
      stderr: someText(/is running in .*, or was killed less than/),
    });
    expect(listKeys(target)).toEqual(before);
  });

  it.runIf(isSwiftInstalled)('works in a bucket, on encrypted backups', async () => {
    await using server = await SwiftServer.start();
    const { bucket } = await server.createBucket('backups');
    const target = `s3://${bucket}/daily?endpoint=${server.endpoint}&region=us-east-1`;
    const other = new CliUnderTest({
      ERRAND_S3_ACCESS_KEY_ID: 'test:tester',
      ERRAND_S3_SECRET_ACCESS_KEY: 'testing',
      ERRAND_BACKUP_PASSPHRASE: 'correct horse battery staple',
    });
    const ids = await makeBackups(other, target);
    const pruned = await other.runJson(['backup', 'prune', target, '--keep', '1']);
    expect(pruned).toMatchObject({ code: 0, removed: ids.slice(0, 2), files_removed: 2 });
    expect(await other.run(['backup', 'verify', target])).toMatchObject({ code: 0 });
    const keys = await server.list('backups');
    expect(keys.filter((key) => key.includes('activities/') || ids.slice(0, 2).some((id) => key.includes(id)))).toEqual([]);
  });
});

describe('a backup that is killed', () => {
  const cli = new CliUnderTest();
  let filled = 0;
  /** Files that take a backup some time. */
  async function fill(): Promise<void> {
    const service = await LocalService.start({ dataDir: cli.dataDir, env: { ERRAND_RATE_LIMITS: 'off' } });
    const client = new ServiceClient(service);
    for (let number = 0; number < 3; number++) await upload(client, Buffer.alloc(60_000_000, filled++));
    await service.end();
  }
  beforeAll(fill);

  /** Kills a backup as soon as the target shows that it works. */
  async function killOne(target: string, isAtWork: () => boolean): Promise<void> {
    const child = await cli.start(['backup', target]);
    await eventually('the backup works', async () => (isAtWork() ? true : null));
    child.signal('SIGKILL');
    expect(await child.ended).toMatchObject({ signal: 'SIGKILL' });
  }

  it("is not restored, does not hinder the next one, and its leftovers are removed by the next night's backup", async () => {
    const target = join(createFolder('killed'), 'backups');
    await killOne(target, () => existsSync(join(target, 'files')));
    const [killed = ''] = readdirSync(join(target, 'backups'));
    expect(await cli.run(['backup', 'verify', target])).toMatchObject({ code: 1, stderr: someText(/was interrupted/) });

    // Within some minutes it cannot be told from one that is still running.
    const beside = String((await cli.runJson(['backup', target])).backup_id);
    expect(readdirSync(join(target, 'backups')).toSorted()).toEqual([killed, beside].toSorted());

    ageActivities(target);
    const next = String((await cli.runJson(['backup', target])).backup_id);
    expect(readdirSync(join(target, 'backups')).toSorted()).toEqual([beside, next].toSorted());
    expect(existsSync(join(target, 'activities'))).toBe(false);
    expect(listKeys(target).filter((key) => key.endsWith('.part') || key.includes(killed))).toEqual([]);
    const fresh = { ERRAND_DATA_DIR: createFolder('fresh') };
    expect(await cli.run(['restore', target, '--backup', next], fresh)).toMatchObject({ code: 0 });
  });

  it("leaves nothing that the next night's prune does not remove", async () => {
    const target = join(createFolder('killed'), 'backups');
    const id = String((await cli.runJson(['backup', target])).backup_id);
    const before = listKeys(target).toSorted();
    // What the first one has copied, the next one need not.
    await fill();
    await killOne(target, () => listKeys(target).some((key) => key.startsWith('files') && !before.includes(key)));
    expect(listKeys(target).length).toBeGreaterThan(before.length);
    expect(await cli.run(['backup', 'prune', target, '--keep', '1'])).toMatchObject({
      code: 1,
      stderr: someText(/was killed less/),
    });
    ageActivities(target);
    expect(await cli.runJson(['backup', 'prune', target, '--keep', '1'])).toMatchObject({
      code: 0,
      removed: [],
      remaining: [id],
    });
    expect(listKeys(target).toSorted()).toEqual(before);
  });
});

describe('a backup of an older schema', () => {
  /** A database as an earlier version left it, with one account. */
  async function makeOldInstance(dataDir: string, versions: number): Promise<void> {
    const database = new DatabaseSync(join(dataDir, 'errand.db'));
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(migrationTable);
    for (const { version, name, digest, text } of (await loadMigrations()).slice(0, versions)) {
      database.exec(migrationToSqlite(text));
      database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)').run(version, name, digest, 1);
    }
    database.exec(`INSERT INTO instance VALUES ('id', 'oldinstance');
      INSERT INTO accounts (account_id, email, plan, locale, created_at) VALUES ('a1', 'old@example.com', 'free', 'en', 1)`);
    database.close();
  }

  it.each(['sqlite', 'postgres'] as const)('is restored into %s, which then has the schema of this version', async (into) => {
    const old = new CliUnderTest();
    const latest = (await loadMigrations()).length;
    const from = Math.floor(latest / 2);
    await makeOldInstance(old.dataDir, from);
    const target = createFolder('old');
    expect(await old.runJson(['backup', target])).toMatchObject({ code: 0, has_secret: false });

    const env: Record<string, string> = into === 'postgres' ? { ERRAND_DATABASE_URL: await createDatabase() } : {};
    const fresh = new CliUnderTest(env);
    expect(await fresh.runJson(['restore', target])).toMatchObject({ code: 0, schema: { from, to: latest } });
    await using service = await LocalService.start({ dataDir: fresh.dataDir, env });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    // The account is the restored one, not that of a first start.
    const made = await fresh.runJson(['key', 'create', '--account', 'old@example.com']);
    expect(made).toMatchObject({ code: 0 });
    expect((await new ServiceClient({ url: service.url, apiKey: String(made['api_key']) }).call('task.list')).status).toBe(200);
  });
});
