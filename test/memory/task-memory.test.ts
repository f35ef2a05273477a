import { describe, expect, it } from 'vitest';
import { createErrand } from '../../packages/client/src/index.ts';
import { LocalService } from '../support/service/local-service.ts';
import { type Json, ServiceClient } from '../support/service/service-client.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';

const account = { scope: 'account' };

describe('the memory of tasks', () => {
  async function start() {
    const service = await LocalService.start();
    const client = new ServiceClient(service);
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    /** The result of each tool call of a new task. */
    const work = async (content: string, more: Json = {}) => {
      const { body } = await client.call('task.create', { message: { content }, ...more });
      const taskId = String(body.task_id);
      await errand.waitForTask(taskId);
      const read = await fetch(`${service.url}/v2/task.listMessages?task_id=${taskId}&order=asc&limit=200&verbose=true`, {
        headers: { 'x-service-api-key': service.apiKey },
      });
      const { messages } = (await read.json()) as { messages: Json[] };
      return { taskId, text: JSON.stringify(messages) };
    };
    const read = async (path: string, place: Json = account) => {
      const query = new URLSearchParams({ ...place, path } as Record<string, string>);
      const answer = await fetch(`${service.url}/v2/memory.read?${query.toString()}`, {
        headers: { 'x-service-api-key': service.apiKey },
      });
      return (await answer.json()) as { memory?: Json };
    };
    return { service, client, work, read };
  }

  it('outlives them, and can be switched off for a task and for a project', async () => {
    const { service, client, work, read } = await start();
    await using _ = service;
    const first = await work('write /memory/account/people.md with Ada prefers short reports\nsay done');
    expect((await read('people.md')).memory).toMatchObject({ content: 'Ada prefers short reports', task_id: first.taskId });
    expect((await work('read /memory/account/people.md\nsay done')).text).toContain('Ada prefers short reports');
    expect((await work('read /memory/account/people.md\nsay done', { memory: false })).text).not.toContain('short reports');
    const made = await client.call('project.create', { name: 'P', memory: false });
    const { id } = made.body.project as { id: string };
    expect((await work('read /memory/account/people.md\nsay done', { project_id: id })).text).not.toContain('short reports');
    await client.call('project.update', { project_id: id, memory: true });
    await work('write /memory/project/plan.md with Launch in May\nsay done', { project_id: id });
    expect((await read('plan.md', { scope: 'project', id })).memory).toMatchObject({ content: 'Launch in May' });
  });

  it.skipIf(!testSandbox)('is below /memory for commands, too', async () => {
    const { service, work, read } = await start();
    await using _ = service;
    await work('run mkdir /memory/account/log && echo first > /memory/account/log/a.md\nsay done');
    expect((await read('log/a.md')).memory).toMatchObject({ content: 'first\n', version: 1 });
    const second = await work(
      'run cat /memory/account/log/a.md && echo second >> /memory/account/log/a.md && ls -A /memory\nsay done',
    );
    expect(second.text).toContain('first\\naccount\\n');
    expect((await read('log/a.md')).memory).toMatchObject({ content: 'first\nsecond\n', version: 2, task_id: second.taskId });
    const giant = await work('run head -c 60000000 /dev/zero > /memory/account/giant; sleep 20\nsay done');
    expect(giant.text).toContain('ended because');
    expect((await read('giant')).memory).toBeUndefined();
    expect((await work('run ls /memory\nsay done', { memory: false })).text).toContain('No such file');
  });
});
