import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createErrand } from '../../packages/client/src/index.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, isEnd, type Json, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

interface Setup {
  status: string;
  output: string;
}

function callsOf(service: { url: string; apiKey: string }) {
  const client = new ServiceClient(service);
  const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
  const project = async (operation: string, input: Json) =>
    (await client.call(operation, input)).body.project as { id: string; setup: Setup };
  const start = async (id: string, command: string) => {
    const message = { content: `run ${command}\nsay done` };
    return String((await client.call('task.create', { message, project_id: id })).body.task_id);
  };
  return {
    client,
    start,
    make: async (script: string) => (await project('project.create', { name: 'P', setup_script: script })).id,
    change: (id: string, script: string) => project('project.update', { project_id: id, setup_script: script }),
    setup: async (id: string) => (await errand.project.list({})).data.find((one) => one.id === id)?.setup,
    /** All that a new task of the project has done, as JSON. */
    async work(id: string, command: string) {
      const taskId = await start(id, command);
      return JSON.stringify(await client.follow(taskId, isEnd));
    },
  };
}

describe.skipIf(!testSandbox)('the setup script of a project', () => {
  const dataDir = createFolder('setup-data');
  afterAll(() => removeFolder(dataDir));

  it('prepares the sandboxes of all later tasks with one run, and runs again when it is changed', async () => {
    await using service = await LocalService.start();
    const { make, change, setup, work } = callsOf(service);
    const id = await make('date +%N >stamp; echo prepared');
    expect(await setup(id)).toMatchObject({ status: 'pending', output: '' });
    const command = 'cat /opt/project/stamp && echo "[$(wc -c </opt/project/stamp)]" && touch /opt/project/mine';
    const [one, two] = await Promise.all([work(id, command), work(id, command)]);
    const stampOf = (events: string) => /(\d{9})\\n\[10\]/.exec(events)?.[1];
    expect(stampOf(one)).toMatch(/^\d{9}$/);
    expect(stampOf(two)).toBe(stampOf(one));
    expect(one).toContain('Read-only file system');
    expect(await setup(id)).toMatchObject({ status: 'ready', output: 'prepared\n[exit code 0]' });
    await service.restart();
    expect(stampOf(await work(id, command))).toBe(stampOf(one));
    expect((await change(id, 'echo other >stamp')).setup.status).toBe('pending');
    expect(await work(id, 'cat /opt/project/stamp')).toContain('other\\n');
    await change(id, '');
    expect(await work(id, 'ls /opt/project')).toContain('No such file');
  });

  it('tells the agent and the owner when it has failed', async () => {
    await using service = await LocalService.start();
    const { make, setup, work } = callsOf(service);
    const id = await make('echo looking; no-such-program');
    expect(await work(id, 'echo goes on')).toContain('goes on');
    expect(await setup(id)).toMatchObject({ status: 'failed' });
    expect((await setup(id))?.output).toMatch(/looking\n.*command not found\n\[exit code 127\]$/);
  });

  it('leaves nothing half made when the service is killed in the middle', async () => {
    await using service = await ServiceProcess.start({ dataDir });
    const { make, setup, start, work, client } = callsOf(service);
    const id = await make(
      'echo half >part; if [ -e /opt/project/again ]; then exit 3; fi; touch again; sleep 2; echo whole >part',
    );
    const taskId = await start(id, 'cat /opt/project/part');
    const hasBegun = () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('/again'));
    await eventually('the script to begin', () => Promise.resolve(hasBegun() ? true : null));
    await service.kill('SIGKILL');
    await service.restart();
    expect(JSON.stringify(await client.follow(taskId, isEnd))).toContain('whole');
    expect(await setup(id)).toMatchObject({ status: 'ready' });
    expect(await work(id, 'cat /opt/project/part')).toContain('whole');
  });
});
