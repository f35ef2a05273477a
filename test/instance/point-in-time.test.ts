import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

it('a killed service whose disk is lost is restored with everything acknowledged until a second before', async () => {
  const [dataDir, target] = [createFolder('data'), createFolder('wal')];
  const env = { ERRAND_WAL_TARGET: target, ERRAND_RATE_LIMITS: 'off' };
  const acknowledged: { id: string; atMs: number }[] = [];
  {
    await using service = await ServiceProcess.start({ dataDir, env });
    const client = new ServiceClient(service);
    for (let task = 0; task < 60; task++) {
      const { task_id } = await client.ask('task.create', { message: { content: `say ${task}` } });
      acknowledged.push({ id: task_id as string, atMs: Date.now() });
    }
    await eventually('two more copies of the log', async () => {
      await client.ask('task.create', { message: { content: 'say more' } });
      return Date.now() - (acknowledged.at(-1)?.atMs ?? 0) > 1500 ? true : null;
    });
    await service.kill();
  }
  // The disk is gone; only the secret was kept elsewhere.
  for (const name of ['errand.db', 'errand.db-wal', 'errand.db-shm']) rmSync(join(dataDir, name), { force: true });
  const cli = new CliUnderTest({ ERRAND_DATA_DIR: dataDir });
  const restored = await cli.runJson(['restore', target]);
  expect(restored).toMatchObject({ code: 0, restored_at_iso: expect.stringMatching(/^20/) as string, replaced: null });
  await using service = await ServiceProcess.start({ dataDir, env });
  const client = new ServiceClient(service);
  for (const { id } of acknowledged) {
    expect(await client.ask('task.detail', { task_id: id })).toMatchObject({ task: { id } });
  }
  const done = await client.ask('task.create', { message: { content: 'say back' } });
  await eventually('a task after the restore', async () => {
    const { task } = (await client.ask('task.detail', { task_id: done.task_id })) as { task: { status: string } };
    return task.status === 'stopped' ? true : null;
  });
  const again = await cli.run(['restore', target]);
  expect([again.code, again.stderr]).toEqual([78, expect.stringContaining('--replace') as string]);
});
