import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { createMigratedDatabase, dropDatabase } from '../support/db/postgres.ts';
import { isEnd, type Json, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const parts = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Machines of one service: a shared database and blob store, and a separate folder for each. */
describe('subtasks on several machines', () => {
  const top = createFolder('machines');
  const folders = ['door', 'left', 'right'].map((name) => join(top, name));
  let databaseUrl = '';
  let model: ModelServer;
  let machines: ServiceProcess[] = [];
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabase();
    model = await startModelServer();
    for (const folder of [join(top, 'blobs'), ...folders]) mkdirSync(folder);
    for (const folder of folders) symlinkSync(join(top, 'blobs'), join(folder, 'blobs'));
    const env = {
      ERRAND_DATABASE_URL: databaseUrl,
      ERRAND_SECRET: 'the secret of three machines',
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: model.openaiUrl,
      // One task at a time, so that no machine can do all of them.
      ERRAND_WORKER_CONCURRENCY: '1',
    };
    const start = (dataDir: string | undefined, role: string) =>
      ServiceProcess.start({ dataDir: dataDir ?? '', env, args: ['--role', role] });
    machines = [await start(folders[0], 'api')];
    machines.push(...(await Promise.all(folders.slice(1).map((folder) => start(folder, 'worker')))));
  });
  afterAll(async () => {
    await Promise.all(machines.map((machine) => machine.end()));
    await model.stop();
    await dropDatabase(databaseUrl);
    removeFolder(top);
  });

  /** The tasks that have worked on a machine. */
  const workedOn = (folder: string): string[] => {
    const place = join(folder, 'workspaces');
    if (!existsSync(place)) return [];
    return readdirSync(place, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const [, , taskId, file] = path.split('/');
      return file === 'out.txt' && taskId !== undefined ? [taskId] : [];
    });
  };

  it('find their files wherever they run, and their parent finds what they made', async () => {
    const give = (part: string) => ({
      tool: 'create_subtask',
      input: { title: part, instructions: `Copy part ${part}.`, files: ['data/numbers.csv'] },
    });
    await model.script([
      {
        match: 'Split it',
        steps: [
          { calls: [{ tool: 'write_file', input: { path: 'data/numbers.csv', content: 'alpha,17\n' } }] },
          { calls: parts.map(give) },
          { text: 'All is done.' },
        ],
      },
      {
        match: 'Copy part',
        steps: [
          { calls: [{ tool: 'read_file', input: { path: 'data/numbers.csv' } }], delayMs: 300 },
          { calls: [{ tool: 'write_file', input: { path: 'out.txt', content: 'copied' } }] },
          { calls: [{ tool: 'deliver', input: { files: [{ path: 'out.txt' }] } }] },
          { text: 'Copied.' },
        ],
      },
    ]);
    const client = new ServiceClient(machines[0] ?? { url: '', apiKey: '' });
    const taskId = await client.createTask('Split it.');
    await client.follow(taskId, isEnd);
    expect(await client.statusOf(taskId)).toBe('stopped');
    const { messages } = (await client.ask('task.listMessages', { task_id: taskId, verbose: true, limit: 200 })) as {
      messages: { tool_used?: Json }[];
    };
    const results = messages.flatMap(({ tool_used: used }) => (used?.['tool'] === 'create_subtask' ? [used] : []));
    expect(results.map(({ status }) => status)).toEqual(parts.map(() => 'success'));
    for (const { description } of results) expect(description).toMatch(/- subtasks\/[\w-]+-\w{6}\/out\.txt/);
    const { data } = (await client.ask('task.list', { scope: 'agent_subtask', agent_id: 'agent-default' })) as {
      data: { id: string }[];
    };
    expect(data).toHaveLength(parts.length);
    // What each of them read of the file that it was given.
    const bodies = (await model.calls()).map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('Copy part'));
    expect(bodies.some((body) => body.includes('does not exist'))).toBe(false);
    for (const part of parts) {
      expect(bodies.filter((body) => body.includes(`Copy part ${part}.`) && body.includes('alpha,17')).length).toBeGreaterThan(0);
    }
    const [left = [], right = []] = folders.slice(1).map(workedOn);
    expect([left.length > 0, right.length > 0]).toEqual([true, true]);
  });
});
