import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

/** Tells the processes of this test from all others of the machine. */
const mark = String(10_000_000 + process.pid);
const message = [
  `run sleep ${mark} & echo started`,
  'run echo x >> runs; if [ $(wc -l < runs) -lt 2 ]; then sleep 600; fi; pgrep -xc sleep || true',
].join('\n');

function countSleepers(): number {
  const found = execFileSync('sh', ['-c', `pgrep -fx 'sleep ${mark}' || true`], { encoding: 'utf8' });
  return found.split('\n').filter((line) => line !== '').length;
}

describe('a background process whose worker is killed', () => {
  const dataDir = createFolder('lost');
  afterAll(() => removeFolder(dataDir));
  const hasRun = () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('/runs'));

  it('is gone with it, and the log says which one it was before the task goes on', async () => {
    await using service = await ServiceProcess.start({ dataDir });
    const client = new ServiceClient(service);
    const taskId = await client.createTask(message);
    await expect.poll(hasRun, { timeout: 120_000 }).toBe(true);
    expect(countSleepers()).toBe(1);
    await service.kill('SIGKILL');
    await expect.poll(countSleepers, { timeout: 60_000 }).toBe(0);
    await service.restart();
    const events = await client.follow(taskId, isEnd);
    const lost = events.filter(({ type }) => type === 'process_lost');
    const title = expect.stringContaining(`sleep ${mark}`) as string;
    expect(lost.map((event) => event.process_lost)).toEqual([{ processes: [{ id: 'p1', kind: 'process', title }] }]);
    expect(events.at(-1)).toMatchObject({ type: 'status_update' });
  });
});
