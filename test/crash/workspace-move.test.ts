import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { isEnd, type PublicEvent, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

async function makeBlobsDue(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('UPDATE blobs SET sweep_at = 1 WHERE sweep_at > 1');
  await database.end();
}

/** Two machines: a data folder each, one database, and blobs in a place that both reach. */
describe('a workspace', () => {
  const top = createFolder('machines');
  const [here, there] = [join(top, 'here'), join(top, 'there')];
  let databaseUrl = '';
  beforeAll(async () => {
    databaseUrl = await createDatabase();
    for (const folder of ['blobs', 'here', 'there']) mkdirSync(join(top, folder));
    for (const folder of [here, there]) symlinkSync(join(top, 'blobs'), join(folder, 'blobs'));
  });
  afterAll(async () => {
    await dropDatabase(databaseUrl);
    removeFolder(top);
  });

  const start = (dataDir: string) =>
    ServiceProcess.start({ dataDir, env: { ERRAND_DATABASE_URL: databaseUrl, ERRAND_SECRET: 'the secret of two machines' } });
  const say = async (client: ServiceClient, taskId: string, text: string): Promise<PublicEvent[]> => {
    const before = (await client.listEvents(taskId)).at(-1)?.id ?? null;
    await client.ask('task.sendMessage', { task_id: taskId, message: { content: text } });
    const seen: PublicEvent[] = [];
    for await (const event of client.stream(taskId, before, AbortSignal.timeout(240_000))) {
      seen.push(event);
      if (isEnd(event)) return seen;
    }
    return seen;
  };
  const outputs = (events: PublicEvent[]) =>
    events.filter(({ type }) => type === 'tool_used').map((event) => JSON.stringify(event));

  it('follows its task to another machine and back, with later changes and the files of messages, and names what is missing', async () => {
    const content = [
      { type: 'text', text: 'write notes/one.txt with first\nrun mkfifo notes/pipe; chmod 0 notes .' },
      { type: 'file', filename: 'a.csv', file_data: `data:text/csv;base64,${Buffer.from('7,8').toString('base64')}` },
    ];
    await using first = await start(here);
    const client = new ServiceClient(first);
    const taskId = String((await client.ask('task.create', { message: { content } })).task_id);
    await client.follow(taskId, isEnd);
    await first.kill('SIGTERM');

    const second = await start(there);
    const events = await say(
      new ServiceClient(second),
      taskId,
      'read notes/one.txt\nread attachments/a.csv\nwrite notes/two.txt with second',
    );
    expect(outputs(events).join()).toMatch(/first[\s\S]*7,8/);
    const explained = events.filter(({ type }) => type === 'explanation').map((event) => JSON.stringify(event));
    expect(explained.filter((text) => text.includes('notes/pipe'))).toHaveLength(1);
    await say(new ServiceClient(second), taskId, 'write notes/three.txt with third');
    await second.kill('SIGTERM');

    await first.restart();
    const back = await say(client, taskId, 'read notes/two.txt\nread notes/three.txt');
    expect(outputs(back).join()).toMatch(/second[\s\S]*third/);
    expect(await client.ask('task.delete', { task_id: taskId })).toMatchObject({ deleted: true });
    // A save that was cut off leaves a blob that is due in hours.
    await first.kill('SIGTERM');
    await makeBlobsDue(databaseUrl);
    await first.restart();
    const blobs = () =>
      readdirSync(join(top, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    await expect.poll(() => blobs().map(({ name }) => name)).toEqual([]);
  });
});
