import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { CliUnderTest, finish } from '../support/cli/cli-under-test.ts';
import { createDatabase } from '../support/db/postgres.ts';
import { isSwiftInstalled, SwiftServer } from '../support/files/swift.ts';
import { someText } from '../support/http/matchers.ts';
import { Child } from '../support/process/child.ts';
import { compiledCode, program } from '../support/process/compiled-code.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

type Engine = 'sqlite' | 'postgres';

async function settingsOf(engine: Engine): Promise<Record<string, string>> {
  return engine === 'sqlite' ? {} : { ERRAND_DATABASE_URL: await createDatabase() };
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What a restore that failed may leave in a data folder: the lock. */
function listContent(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('lock.db'));
}

async function startService(cli: CliUnderTest, env: Record<string, string> = {}) {
  const service = await LocalService.start({ dataDir: cli.dataDir, env: { ERRAND_RATE_LIMITS: 'off', ...env } });
  return { service, client: new ServiceClient(service) };
}

async function finishTask(client: ServiceClient, content: string): Promise<string> {
  const taskId = await client.createTask(content);
  await eventually('the task ends', async () => ((await client.statusOf(taskId)) === 'stopped' ? true : null));
  return taskId;
}

/** The content of the files that a task delivered. */
async function readDelivered(client: ServiceClient, taskId: string): Promise<string[]> {
  const events = JSON.stringify(await client.listEvents(taskId));
  const urls = [...events.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => String(url));
  return Promise.all(urls.map(async (url) => (await fetch(url)).text()));
}

/** Keeps a slow machine from working for minutes. */
const mostTasks = 60;

/** Creates tasks one after the other until `stop`; `acknowledged` has those that a client knows of. */
function createLoad(client: ServiceClient) {
  const acknowledged: string[] = [];
  const ended = new AbortController();
  const run = async () => {
    while (!ended.signal.aborted && acknowledged.length < mostTasks)
      acknowledged.push(await client.createTask('write load.md with load'));
  };
  const running = Promise.all([run(), run()]);
  return {
    acknowledged,
    stop() {
      ended.abort();
      return running;
    },
  };
}

describe.each([
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a backup of %s, restored into %s', (from, into) => {
  it('has everything that was acknowledged before it began, though the service works and deletes meanwhile', async () => {
    const [lost, found] = [new CliUnderTest(), new CliUnderTest()];
    const target = createFolder('backups');
    const env = await settingsOf(from);
    const { service, client } = await startService(lost, env);
    const finished = await Promise.all(['one', 'two', 'three'].map((text) => finishTask(client, `write hello.md with ${text}`)));
    const load = createLoad(client);
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(10);
    const before = [...load.acknowledged];
    const backup = lost.runJson(['backup', target], env);
    const deleted = client.call('task.delete', { task_id: finished[0] ?? '' });
    const [made] = await Promise.all([backup, deleted]);
    await load.stop();
    expect(made).toMatchObject({ code: 0, encrypted: false, has_secret: true });
    await service.end();
    rmSync(lost.dataDir, { recursive: true });

    const other = await settingsOf(into);
    expect(await found.runJson(['restore', target], other)).toMatchObject({ code: 0, replaced: null });
    const restored = await startService(found, { ...other });
    const statuses = await restored.client.listStatuses();
    expect(before.filter((taskId) => !statuses.has(taskId))).toEqual([]);
    for (const [index, text] of ['two', 'three'].entries()) {
      expect(await readDelivered(restored.client, finished[index + 1] ?? '')).toEqual([text]);
    }
    const workspaces = listFiles(join(found.dataDir, 'workspaces')).filter((file) => file.endsWith('/hello.md'));
    const texts = workspaces.map((file) => readFileSync(file, 'utf8'));
    expect(['two', 'three'].filter((text) => !texts.includes(text))).toEqual([]);
    // The restored instance works on: it has the secret that seals its keys.
    expect(await readDelivered(restored.client, await finishTask(restored.client, 'write new.md with new'))).toEqual(['new']);
    await restored.service.end();
  });
});

describe('a backup', () => {
  const cli = new CliUnderTest();
  const passphrase = { ERRAND_BACKUP_PASSPHRASE: 'correct horse battery staple' };
  let [plain, sealed] = ['', ''];
  beforeAll(async () => {
    const { service, client } = await startService(cli);
    await finishTask(client, 'write secret.md with canary-of-the-file');
    const upload = await client.ask('file.upload', { filename: 'large.bin' });
    await fetch(String(upload.upload_url), { method: 'PUT', body: Buffer.alloc(3_000_000, 'x') });
    await service.stop();
    [plain, sealed] = [createFolder('plain'), createFolder('sealed')];
    await cli.run(['backup', plain]);
    await cli.run(['backup', sealed], passphrase);
  });

  const copyOf = (target: string) => {
    const copy = createFolder('copy');
    cpSync(target, copy, { recursive: true });
    return copy;
  };
  const blobIn = (target: string) => listFiles(join(target, 'files'))[0] ?? '';
  const partOf = (target: string, name: string) =>
    listFiles(join(target, 'backups')).find((file) => file.endsWith(`/${name}`)) ?? '';
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(file, bytes);
  };
  /** What a check and a restore say, and what the restore leaves. */
  const tryBoth = async (target: string, env: Record<string, string> = {}) => {
    const fresh = new CliUnderTest();
    const results = [await fresh.run(['backup', 'verify', target], env), await fresh.run(['restore', target], env)];
    return { said: results.map(({ code, stderr }) => [code, stderr]), left: listContent(fresh.dataDir) };
  };
  const refusal = (message: RegExp) => ({ said: [1, 2].map(() => [1, someText(message)]), left: [] });

  it('is complete and undamaged when it is verified', async () => {
    expect(await cli.runJson(['backup', 'verify', plain])).toMatchObject({ code: 0, ok: true });
    expect(await cli.run(['backup', 'verify', sealed], passphrase)).toMatchObject({ code: 0 });
  });

  it.each([
    ['a changed file', (target: string) => flip(blobIn(target)), /files\/.* is damaged: .*use another backup/],
    ['a missing file', (target: string) => rmSync(blobIn(target)), /files\/.* is missing in .*; use another backup/],
    ['a changed database', (target: string) => flip(partOf(target, 'database')), /database.* is damaged/],
    [
      'a database that is another one',
      (target: string) => writeFileSync(partOf(target, 'database'), zstdCompressSync('{"table":1}\n')),
      /database.* is damaged/,
    ],
    ['a cut database', (target: string) => truncateSync(partOf(target, 'database'), 900), /database.* is damaged/],
    ['a changed manifest', (target: string) => flip(partOf(target, 'manifest.json')), /is damaged: its manifest cannot be read/],
    [
      'no manifest, because it was interrupted,',
      (target: string) => rmSync(partOf(target, 'manifest.json')),
      /was interrupted and is not complete/,
    ],
  ])('with %s is refused, and nothing is half restored', async (_, damage, message) => {
    const copy = copyOf(plain);
    damage(copy);
    expect(await tryBoth(copy)).toEqual(refusal(message));
  });

  it.each([
    ['a changed file', (target: string) => flip(blobIn(target)), /files\/.* is damaged/],
    ['a cut file', (target: string) => truncateSync(blobIn(target), 40), /files\/.* is damaged/],
    ['a changed database', (target: string) => flip(partOf(target, 'database')), /database.* is damaged/],
  ])('that is encrypted, with %s, is refused', async (_, damage, message) => {
    const copy = copyOf(sealed);
    damage(copy);
    expect(await tryBoth(copy, passphrase)).toEqual(refusal(message));
  });

  it('that is encrypted shows nothing and opens with its passphrase only', async () => {
    for (const file of listFiles(sealed)) expect(readFileSync(file, 'latin1')).not.toContain('canary-of-the-file');
    const wrong = { ERRAND_BACKUP_PASSPHRASE: 'wrong horse battery staple' };
    expect(await tryBoth(sealed, wrong)).toEqual(refusal(/ERRAND_BACKUP_PASSPHRASE is not the passphrase/));
    expect(await tryBoth(sealed)).toEqual(refusal(/are encrypted; set ERRAND_BACKUP_PASSPHRASE_FILE/));
    expect(await tryBoth(plain, passphrase)).toEqual(refusal(/are not encrypted; unset ERRAND_BACKUP_PASSPHRASE/));
    const fresh = new CliUnderTest();
    expect(await fresh.run(['restore', sealed], passphrase)).toMatchObject({ code: 0 });
    expect(listFiles(join(fresh.dataDir, 'blobs')).map((file) => readFileSync(file, 'utf8'))).toContain('canary-of-the-file');
  });

  it('that finds the disk full says so and is not complete, and a restore leaves nothing', async () => {
    const runConfined = async (argv: readonly string[], dataDir: string) => {
      const env = { PATH: process.env.PATH ?? '', ...compiledCode, ERRAND_DATA_DIR: dataDir };
      // No file may grow beyond a megabyte: the system refuses the write as it does on a full disk.
      const line = ['-c', 'ulimit -f 2048; exec "$0" "$@"', process.execPath, program, ...argv];
      return finish(await Child.start('/bin/sh', line, { env, cwd: checkout }));
    };
    const [target, fresh] = [join(createFolder('full'), 'backups'), createFolder('fresh')];
    expect(await runConfined(['backup', target], cli.dataDir)).toMatchObject({
      code: 1,
      stderr: someText(/no space is left/),
    });
    expect(await cli.run(['restore', target], { ERRAND_DATA_DIR: fresh })).toMatchObject({
      code: 1,
      stderr: someText(/not complete/),
    });
    const restored = await runConfined(['restore', plain], fresh);
    expect(restored).toMatchObject({ code: 1, stderr: someText(/no space is left/) });
    expect(listContent(fresh)).toEqual([]);
    expect(await cli.run(['backup', target])).toMatchObject({ code: 0 });
  });

  it('copies only files that no earlier backup in the target has', async () => {
    const copy = copyOf(plain);
    const [first, second] = [await cli.runJson(['backup', copy]), await cli.runJson(['backup', copy])];
    expect([first.files, second.files]).toMatchObject([{ copied: 0 }, { copied: 0 }]);
    const fresh = { ERRAND_DATA_DIR: createFolder('fresh') };
    expect(await cli.run(['restore', copy, '--backup', String(second.backup_id)], fresh)).toMatchObject({ code: 0 });
  });

  it.runIf(isSwiftInstalled)('in a bucket is restored into another bucket, and again without copying files twice', async () => {
    await using server = await SwiftServer.start();
    const [backups, blobs] = await Promise.all(['backups', 'blobs'].map((name) => server.createBucket(name)));
    const at = (bucket = '', path = '') => `s3://${bucket}${path}?endpoint=${server.endpoint}&region=us-east-1`;
    const env = { ERRAND_S3_ACCESS_KEY_ID: 'test:tester', ERRAND_S3_SECRET_ACCESS_KEY: 'testing' };
    const target = at(backups?.bucket, '/daily/errand');
    expect(await cli.runJson(['backup', target], { ...env, ...passphrase })).toMatchObject({ code: 0, encrypted: true });
    const again = await cli.runJson(['backup', target], { ...env, ...passphrase });
    expect(again).toMatchObject({ code: 0, files: { copied: 0 } });
    const fresh = new CliUnderTest({ ...env, ...passphrase, ERRAND_BLOBS: at(blobs?.bucket) });
    expect(await fresh.runJson(['backup', 'verify', target])).toMatchObject({ code: 0, ok: true });
    expect(await fresh.runJson(['restore', target])).toMatchObject({ code: 0, backup_id: again.backup_id });
    expect(await server.list('blobs')).toHaveLength((again.files as { count: number }).count);
    const wrong = { ERRAND_BACKUP_PASSPHRASE: 'wrong horse battery staple' };
    expect(await fresh.run(['restore', target, '--replace'], wrong)).toMatchObject({
      code: 1,
      stderr: someText(/is not the passphrase/),
    });
  });

  it('is not made in a folder of something else, nor of a folder without a database', async () => {
    const foreign = createFolder('foreign');
    writeFileSync(join(foreign, 'letter.txt'), 'x');
    expect(await cli.run(['backup', foreign])).toMatchObject({
      code: 1,
      stderr: someText(/is not empty and has no backups/),
    });
    const fresh = new CliUnderTest();
    expect(await fresh.run(['backup', createFolder('t')])).toMatchObject({
      code: 1,
      stderr: someText(/nothing to back up/),
    });
  });

  it('without the secret needs it from elsewhere, and the restore says so before it changes anything', async () => {
    const target = createFolder('bare');
    expect(await cli.runJson(['backup', target, '--without-secret'])).toMatchObject({ code: 0, has_secret: false });
    const fresh = new CliUnderTest();
    expect(await fresh.run(['restore', target])).toMatchObject({
      code: 1,
      stderr: someText(/the backup has no secret; set it to/),
    });
    expect(listContent(fresh.dataDir)).toEqual([]);
    const secret = { ERRAND_SECRET: readFileSync(join(cli.dataDir, 'secret'), 'utf8').trim() };
    expect(await fresh.run(['restore', target], secret)).toMatchObject({ code: 0 });
  });

  it('is not restored beside a running service, nor over an instance unless it is to be replaced', async () => {
    const other = new CliUnderTest();
    const { service } = await startService(other);
    expect(await other.run(['restore', plain, '--replace'])).toMatchObject({
      code: 78,
      stderr: someText(/stop it/),
    });
    await service.stop();
    expect(await other.run(['restore', plain])).toMatchObject({ code: 1, stderr: someText(/is not empty/) });
    const { code, replaced } = await other.runJson(['restore', plain, '--replace']);
    expect([code, readdirSync(String(replaced)).includes('errand.db')]).toEqual([0, true]);
  });

  it('is not restored over a PostgreSQL database in use, nor over accounts unless they are to be replaced', async () => {
    const env = await settingsOf('postgres');
    const { service } = await startService(new CliUnderTest(), env);
    const run = async (...options: string[]) => new CliUnderTest(env).run(['restore', plain, ...options]);
    expect(await run('--replace')).toMatchObject({ code: 1, stderr: someText(/stop all its processes/) });
    await service.stop();
    expect(await run()).toMatchObject({ code: 1, stderr: someText(/the database is not empty/) });
    expect(await run('--replace')).toMatchObject({ code: 0 });
  });
});
