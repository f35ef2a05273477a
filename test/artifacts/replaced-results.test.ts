import { describe, expect, it } from 'vitest';
import { LocalDeployment } from '../support/service/deployment.ts';
import { isEnd } from '../support/service/service-client.ts';

const fence = '```';
const write = (path: string) => ({ calls: [{ tool: 'write_file', input: { path, content: path } }] });
const deliver = (path: string) => ({ calls: [{ tool: 'deliver', input: { files: [{ path, name: 'Sales.txt' }] } }] });

describe.each(['sqlite', 'postgres'] as const)('a result with the name of an earlier one, on %s', (kind) => {
  it('is a newer version of it, downloaded under its name', async () => {
    await using deployment = await LocalDeployment.start(kind);
    const { client } = deployment;
    const steps = [
      write('index.txt'),
      deliver('index.txt'),
      write('index-2.txt'),
      deliver('index-2.txt'),
      deliver('index-2.txt'),
    ];
    const taskId = await client.createTask(`${fence}scenario\n${JSON.stringify(steps)}\n${fence}`);
    await client.follow(taskId, isEnd);
    expect(await client.statusOf(taskId)).toBe('stopped');
    const { data } = await client.ask('artifact.list', { task_id: taskId });
    expect(data).toMatchObject([{ display_name: 'Sales.txt', filename: 'Sales.txt' }]);
    const stored = await deployment.query('SELECT version, path FROM artifacts WHERE task_id = ?', taskId);
    expect(stored).toEqual([{ version: 3, path: 'index.txt' }]);
  });

  it('is a result of its own if another call of the same reply delivers it', async () => {
    await using deployment = await LocalDeployment.start(kind);
    const { client } = deployment;
    const both = { calls: ['en.txt', 'de.txt'].flatMap((path) => deliver(path).calls) };
    const steps = [write('en.txt'), write('de.txt'), both, both];
    const taskId = await client.createTask(`${fence}scenario\n${JSON.stringify(steps)}\n${fence}`);
    await client.follow(taskId, isEnd);
    const stored = await deployment.query('SELECT version, path FROM artifacts WHERE task_id = ? ORDER BY path', taskId);
    expect(stored).toEqual([
      { version: 2, path: 'de.txt' },
      { version: 2, path: 'en.txt' },
    ]);
  });
});
