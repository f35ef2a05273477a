import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { readStorageUse } from '../../src/store/blobs/storage-use.ts';
import { standardTools } from '../../src/tools/standard-tools.ts';
import { TaskResources } from '../../src/tools/toolbox/task-resources.ts';
import { createToolbox } from '../../src/tools/toolbox/toolbox.ts';
import { WorkspaceQuotas } from '../../src/work/tasks/workspace-quotas.ts';
import { MemoryDatabase } from '../support/db/memory-database.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { toolContext } from '../support/tasks/tool-context.ts';

const mebibyte = 1024 * 1024;

it.runIf(testSandbox)('a background process is ended when it fills the storage of the account between two calls', async () => {
  const base = createFolder('background-quota');
  const resources = new TaskResources();
  onTestFinished(async () => {
    await resources.abandon();
    removeFolder(base);
  });
  const database = new MemoryDatabase(systemClock);
  const quotas = new WorkspaceQuotas({
    database,
    limits: { account: { bytes: 60 * mebibyte, files: 1000 }, task: { bytes: 2048 * mebibyte, files: 10_000 } },
    log: silentLog,
    measure: () => Promise.resolve(null),
  });
  const workspace = openWorkspace(join(base, 'a1', 't1'), { quota: quotas.of('a1', 't1') });
  const toolbox = createToolbox(standardTools(systemClock, testSandbox), silentLog);
  const call = (tool: string, input: object) => toolbox.runCall({ tool, input }, toolContext(workspace, { resources }));

  const filling = 'read -r go; for i in $(seq 100); do head -c 8M /dev/zero > f$i; sleep 0.05; done; sleep 1000';
  expect((await call('run_shell', { command: filling, background: true })).output).toContain('as process p1');
  await call('run_shell', { command: 'echo another' });
  const { output } = await call('read_process', { process: 'p1', input: 'go\n', wait_seconds: 60 });
  expect(output).toContain('account more than 60 MB');
  const used = await database.run(readStorageUse, { accountId: 'a1' });
  expect(used.workspaces.bytes).toBeGreaterThan(32 * mebibyte);
  expect(used.workspaces.bytes).toBeLessThan(400 * mebibyte);
});
