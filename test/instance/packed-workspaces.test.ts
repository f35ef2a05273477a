import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { ageTasks, findFolder } from '../support/files/aged-tasks.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';

const secret = 'the secret of a service with packed workspaces';

describe.each(['sqlite', 'postgres'])('the workspace of a task that ended a month ago (%s)', (engine) => {
  const urls: string[] = [];
  const settings = (url: string | null, more: Record<string, string> = {}) => ({
    ERRAND_SECRET: secret,
    ...(url !== null && { ERRAND_DATABASE_URL: url }),
    ...more,
  });
  const createUrl = async () => {
    if (engine === 'sqlite') return null;
    const url = await createDatabase();
    urls.push(url);
    return url;
  };
  let url: string | null = null;
  let service: LocalService | undefined;
  beforeAll(async () => {
    url = await createUrl();
    service = await LocalService.start({ env: settings(url) });
  });
  afterAll(async () => {
    await service?.end();
    for (const each of urls) await dropDatabase(each);
  });

  /** The task of a service resumes; what its tools put out. */
  async function goOn(running: LocalService, taskId: string, text: string): Promise<string> {
    const client = new ServiceClient(running);
    const before = (await client.listEvents(taskId)).at(-1)?.id ?? null;
    await client.ask('task.sendMessage', { task_id: taskId, message: { content: text } });
    const lines: string[] = [];
    for await (const event of client.stream(taskId, before, AbortSignal.timeout(240_000))) {
      lines.push(JSON.stringify(event));
      if (isEnd(event)) break;
    }
    return lines.join('\n');
  }

  it('is packed, in a backup, and unpacked there and here when the task resumes, as it was', async () => {
    if (!service) throw new Error('the service did not start');
    const { dataDir } = service;
    const client = new ServiceClient(service);
    const taskId = await client.createTask('write notes/hello.md with Hello from last month');
    await client.follow(taskId, isEnd);
    const folder = findFolder(dataDir, taskId) ?? '';
    await service.stop();
    await ageTasks({ dataDir, databaseUrl: url }, [folder]);
    await service.restart();
    await service.waitForLog(({ msg }) => msg === 'workspaces of quiet tasks were packed');
    expect(existsSync(folder)).toBe(false);

    const target = createFolder('backup');
    const cli = new CliUnderTest(settings(url, { ERRAND_DATA_DIR: dataDir }));
    expect(await cli.run(['backup', target])).toMatchObject({ code: 0 });
    const restored = createFolder('restored');
    const otherUrl = await createUrl();
    const elsewhere = new CliUnderTest(settings(otherUrl, { ERRAND_DATA_DIR: restored }));
    expect(await elsewhere.run(['restore', target])).toMatchObject({ code: 0 });
    await service.stop();
    const env = { ...settings(otherUrl), ERRAND_BOOTSTRAP_KEY: service.apiKey };
    await using other = await LocalService.start({ dataDir: restored, env });
    expect(findFolder(restored, taskId)).toBeNull();
    expect(await goOn(other, taskId, 'read notes/hello.md')).toContain('Hello from last month');
    await other.stop();

    await service.restart();
    expect(await goOn(service, taskId, 'write second.md with two\nread notes/hello.md')).toContain('Hello from last month');
    expect(readdirSync(folder).toSorted()).toEqual(['notes', 'second.md']);
  });
});
