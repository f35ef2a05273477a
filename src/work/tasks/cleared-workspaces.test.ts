import { describe, expect, it } from 'vitest';
import { silentLog } from '@errand/base/log.ts';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { mainTaskId } from '../../rules/agents/default-agent.ts';
import { createBlobs } from '../../store/blobs/blobs.ts';
import { clearTask } from '../../store/tasks/clear-task.ts';
import { createTask, messageTask, stopTask } from '../../store/tasks/tasks.ts';
import { Sweeper } from '../instance/sweeper.ts';
import { WorkspaceKeeper } from './workspace-keeper.ts';

/** A machine whose folder is from before its task was emptied elsewhere. */
async function behind() {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const workspaces = createWorkspaces(createFolder('workspaces'));
  const blobs = createBlobs({ database, blobStore: new MemoryBlobStore(), clock });
  const key = { accountId: 'a1', taskId: mainTaskId('a1') };
  await database.run(createTask, sampleTask('a1', { taskId: key.taskId, taskType: 'agent_main' }));
  await database.run(stopTask, { ...key, now: clock.now() });
  const workspace = workspaces.open(key.accountId, key.taskId);
  await workspace.write('old.txt', Buffer.from('old'));
  await database.run(clearTask, { ...key, now: clock.now() });
  const parts = { database, workspaces, blobs, clock, log: silentLog };
  const list = async () => (await workspace.list('', 10)).map(({ path }) => path);
  return { ...parts, parts, key, workspace, list };
}

describe('the folder of an emptied task', () => {
  it.each(['with copies', 'without copies'])('is new to the next run, once (%s)', async (kind) => {
    const { parts, workspaces, key, workspace, list } = await behind();
    const keeper = new WorkspaceKeeper({ ...parts, isAlone: kind === 'without copies' });
    expect(await keeper.restore(key)).toBe('new');
    expect(await workspaces.generation(key.accountId, key.taskId)).toBeNull();
    await workspace.write('new.txt', Buffer.from('new'));
    expect(await keeper.restore(key)).toBe('kept');
    expect(await list()).toEqual(['new.txt']);
  });

  it('is removed by the sweeper where no run comes, and never while the task runs', async () => {
    const { parts, clock, database, key, workspace, list } = await behind();
    const message = { type: 'user_message', text: 'go on', kind: 'text' } as const;
    await database.run(messageTask, { ...key, now: clock.now(), message, profile: null });
    const sweep = async () => {
      // The folder of a task that does not exist shows that a round has come this far; the stop waits for its end.
      await parts.workspaces.open(key.accountId, 'missing').write('a.txt', 'x');
      const sweeper = new Sweeper(parts);
      await sweeper.start();
      await clock.advance(2000);
      await expect.poll(() => parts.workspaces.generation(key.accountId, 'missing'), { timeout: 60_000 }).toBeNull();
      await sweeper.stop();
    };
    await sweep();
    expect(await list()).toEqual(['old.txt']);
    await database.run(stopTask, { ...key, now: clock.now() });
    await sweep();
    expect(await parts.workspaces.generation(key.accountId, key.taskId)).toBeNull();
    await workspace.write('new.txt', Buffer.from('new'));
    await sweep();
    expect(await list()).toEqual(['new.txt']);
  });
});
