import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { Deployment } from '../support/service/deployment.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';

const databaseFile = 'errand.db';
/** What a start that is refused may leave. */
const lockFiles = /^lock\.db/;

/** Every file of a folder with its bytes. */
function readFolder(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const own = names.filter((name) => !lockFiles.test(name));
  return new Map(own.toSorted().map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
}

/** A start that must be refused: its one line. */
async function refuse(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await new CliUnderTest().run(['serve'], { ERRAND_DATA_DIR: dataDir });
  expect(code).toBe(78);
  expect(stdout).toBe('');
  expect(stderr).not.toContain('\n');
  return stderr;
}

/** A folder with a store in it that was closed properly. */
async function makeStore(): Promise<string> {
  const dataDir = createFolder('store');
  const service = await LocalService.start({ dataDir });
  const client = new ServiceClient({ url: service.url, apiKey: service.apiKey });
  await client.follow(await client.createTask('write hello.md with Hello'), isEnd);
  await service.end();
  return dataDir;
}

describe('a data folder in use', () => {
  it('refuses a second service with one line, and the first continues', async () => {
    await using deployment = await Deployment.start('sqlite', { env: { ERRAND_MODEL: 'offline/offline-1' } });
    const { client, dataDir } = deployment;
    expect(await refuse(dataDir)).toMatch(/^errand: ERRAND_DATA_DIR: another errand process is using/);
    const events = await client.follow(await client.createTask('say still here'), isEnd);
    expect(events.at(-2)).toMatchObject({ assistant_message: { content: 'still here' } });
    // Also after the holder was killed: the lock goes with its process.
    await deployment.api.restart();
    await client.follow(await client.createTask('say again'), isEnd);
  });
});

describe('a data folder that is damaged or foreign', () => {
  it('is refused if its database was truncated, and left unchanged', async () => {
    const dataDir = await makeStore();
    const file = join(dataDir, databaseFile);
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const before = readFolder(dataDir);
    expect(await refuse(dataDir)).toMatch(/^errand: ERRAND_DATA_DIR: .*damaged/);
    expect(readFolder(dataDir)).toEqual(before);
  });

  it('is refused if pages in the middle are garbage, and left unchanged', async () => {
    const dataDir = await makeStore();
    const file = join(dataDir, databaseFile);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096, 3 * 4096);
    writeFileSync(file, bytes);
    const before = readFolder(dataDir);
    expect(await refuse(dataDir)).toMatch(/^errand: ERRAND_DATA_DIR: /);
    expect(readFolder(dataDir)).toEqual(before);
  });

  it('is refused if another program stores its files there, and left unchanged', async () => {
    const dataDir = createFolder('foreign');
    writeFileSync(join(dataDir, 'holiday.jpg'), 'not ours');
    const before = readFolder(dataDir);
    expect(await refuse(dataDir)).toMatch(/^errand: ERRAND_DATA_DIR: .*holiday\.jpg/);
    expect(readFolder(dataDir)).toEqual(before);
  });

  it('is refused if its database belongs to another program, and left unchanged', async () => {
    const dataDir = createFolder('foreign');
    const file = join(dataDir, databaseFile);
    const foreign = new DatabaseSync(file);
    foreign.exec('CREATE TABLE notes (text); INSERT INTO notes VALUES (1)');
    foreign.close();
    copyFileSync(file, join(dataDir, 'copy.db'));
    const before = readFolder(dataDir);
    expect(await refuse(dataDir)).toMatch(/^errand: ERRAND_DATA_DIR: .*another program/);
    expect(readFolder(dataDir)).toEqual(before);
  });
});
