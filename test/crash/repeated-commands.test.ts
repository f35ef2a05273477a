import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

/** Never ends the first two times. */
const command = 'echo x >> runs; if [ $(wc -l < runs) -lt 3 ]; then sleep 600; fi; cat runs';

describe('a command whose worker ends while it runs', () => {
  const dataDir = createFolder('repeated');
  afterAll(() => removeFolder(dataDir));

  const countRuns = () => {
    const found = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('/runs'));
    return found === undefined ? 0 : readFileSync(join(dataDir, found), 'utf8').split('\n').length - 1;
  };
  const runsToBe = (count: number) => expect.poll(countRuns, { timeout: 120_000 }).toBe(count);

  it('runs again, and the log says so once for each repetition: after a kill, and after a drain', async () => {
    await using service = await ServiceProcess.start({ dataDir });
    const client = new ServiceClient(service);
    const taskId = await client.createTask(`run ${command}`);
    await runsToBe(1);
    await service.kill('SIGKILL');
    await service.restart();
    await runsToBe(2);
    await service.kill('SIGTERM');
    await service.restart();
    const events = await client.follow(taskId, isEnd);
    const [first, second, ...more] = events.filter(({ type }) => type === 'step_repeated').map((event) => event.step_repeated);
    expect(first).toMatchObject({ tool: 'run_shell', attempt: 2, reason: 'crash' });
    expect(second).toMatchObject({ tool: 'run_shell', attempt: 3, reason: 'drain' });
    expect(more).toEqual([]);
    expect((first as { first_started_at: number }).first_started_at).toBe(
      (second as { first_started_at: number }).first_started_at,
    );
    const used = events.find(({ type }) => type === 'tool_used');
    expect(used?.tool_used).toMatchObject({ action_id: (first as { action_id: string }).action_id, status: 'success' });
  });
});
