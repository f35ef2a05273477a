import { readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { createDatabase, createMigratedDatabase } from '../support/db/postgres.ts';
import { isSwiftInstalled, SwiftServer } from '../support/files/swift.ts';
import { LocalService } from '../support/service/local-service.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';

/** The content of the files that a task delivered. */
async function readDelivered(client: ServiceClient, taskId: string): Promise<string[]> {
  const events = JSON.stringify(await client.listEvents(taskId));
  const urls = [...events.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => String(url));
  return Promise.all(urls.map(async (url) => (await fetch(url)).text()));
}

it('an instance that was moved into PostgreSQL goes on with its tasks, files, keys, and workspaces', async () => {
  const cli = new CliUnderTest();
  const databaseUrl = await createDatabase();
  const before = await LocalService.start({ dataDir: cli.dataDir });
  const client = new ServiceClient(before);
  const taskId = await client.createTask('write hello.md with carried over');
  await client.follow(taskId, isEnd);
  const busy = await cli.run(['move', '--to', databaseUrl]);
  expect([busy.code, busy.stderr]).toEqual([expect.any(Number), expect.stringContaining('another errand process is using')]);
  await before.stop();
  const moved = await cli.runJson(['move', '--to', databaseUrl]);
  expect(moved).toMatchObject({ code: 0, files: 1, workspaces: 1, replaced: expect.stringContaining('replaced-') as string });
  expect(readdirSync(cli.dataDir).filter((name) => name.startsWith('.move-') || name === 'errand.db')).toEqual([]);
  const env = { ERRAND_DATABASE_URL: databaseUrl };
  await using after = await LocalService.start({ dataDir: cli.dataDir, env });
  const there = new ServiceClient(after);
  expect(await there.statusOf(taskId)).toBe('stopped');
  expect(await readDelivered(there, taskId)).toEqual(['carried over']);
  await there.ask('task.sendMessage', { task_id: taskId, message: { content: 'run cat hello.md' } });
  await there.follow(taskId, isEnd);
  expect((await cli.runJson(['worker', 'list'], env)).data).toHaveLength(1);
});

it.runIf(isSwiftInstalled)(
  'an instance whose files were moved into a bucket keeps its database, and reads and adds files there',
  async () => {
    await using server = await SwiftServer.start();
    const { bucket } = await server.createBucket('files');
    const keys = { ERRAND_S3_ACCESS_KEY_ID: 'test:tester', ERRAND_S3_SECRET_ACCESS_KEY: 'testing' };
    const place = `s3://${bucket}?endpoint=${server.endpoint}&region=us-east-1`;
    const cli = new CliUnderTest();
    const before = await LocalService.start({ dataDir: cli.dataDir });
    const client = new ServiceClient(before);
    const taskId = await client.createTask('write hello.md with carried over');
    await client.follow(taskId, isEnd);
    await before.stop();
    expect((await cli.run(['move', '--blobs', place])).stderr).toContain('are needed by --blobs');
    expect(await server.list('files')).toEqual([]);
    const moved = await cli.runJson(['move', '--blobs', place], keys);
    expect(moved).toMatchObject({ code: 0, files: 1, workspaces: 1, replaced: expect.stringContaining('replaced-') as string });
    expect(await server.list('files')).toHaveLength(1);
    // Only the bucket has them now.
    rmSync(String(moved.replaced), { recursive: true });
    expect(readdirSync(cli.dataDir)).not.toContain('blobs');
    await using after = await LocalService.start({ dataDir: cli.dataDir, env: { ...keys, ERRAND_BLOBS: place } });
    const there = new ServiceClient(after);
    expect(await readDelivered(there, taskId)).toEqual(['carried over']);
    const another = await there.createTask('write more.md with added');
    await there.follow(another, isEnd);
    expect(await readDelivered(there, another)).toEqual(['added']);
    expect(await server.list('files')).toHaveLength(2);
  },
);

it('a move into a database that has accounts changes nothing, and says why', async () => {
  const cli = new CliUnderTest();
  const used = await createMigratedDatabase();
  const other = new CliUnderTest({ ERRAND_DATABASE_URL: used });
  expect((await other.run(['account', 'create', '--email', 'ann@example.com'])).code).toBe(0);
  const made = await cli.run(['account', 'create', '--email', 'ben@example.com']);
  expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
  const names = readdirSync(cli.dataDir).filter((name) => !name.startsWith('lock.db'));
  const refused = await cli.run(['move', '--to', used]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the database is not empty')]);
  expect(readdirSync(cli.dataDir).filter((name) => !name.startsWith('lock.db'))).toEqual(names);
  expect((await cli.run(['account', 'list'])).stdout).toContain('ben@example.com');
  expect((await cli.run(['move'])).stderr).toContain('or both are missing');
  expect((await cli.run(['move', '--to', 'mysql://x'])).code).toBe(64);
  expect((await cli.run(['move', '--to', used, '--blobs', 's3://errand'])).stderr).toContain('--blobs needs an endpoint');
  const already = await cli.run(['move', '--to', used], { ERRAND_DATABASE_URL: used });
  expect(already.stderr).toContain('uses PostgreSQL already');
});
