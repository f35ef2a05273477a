import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { createClaimed, createTasks, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createWorkspaces, type WorkspaceOwner, type Workspaces } from '@errand/sandbox/workspaces';
import { createBlobs } from '../../store/blobs/blobs.ts';
import { idempotencyTtlMs } from '../../store/db/idempotency-keys.ts';
import { createTask, deleteTask, stopTask } from '../../store/tasks/tasks.ts';
import { recordWorkspaceSave } from '../../store/tasks/workspace-saves.ts';
import { Sweeper } from './sweeper.ts';

const soonMs = 2000;
const everyMs = 600_000;

function openSweeper() {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const kept = new Map<string, WorkspaceOwner>();
  const stuck = new Set<string>();
  const workspaces: Pick<Workspaces, 'list' | 'remove' | 'removeStale'> = {
    list: () => Promise.resolve([...kept.values()]),
    removeStale: () => Promise.resolve(false),
    remove: (_, taskId) => {
      if (stuck.has(taskId)) return Promise.reject(new Error('EBUSY'));
      kept.delete(taskId);
      return Promise.resolve();
    },
  };
  const blobStore = new MemoryBlobStore();
  const blobs = createBlobs({ database, blobStore, clock });
  const sweeper = new Sweeper({ database, workspaces: workspaces as Workspaces, blobs, clock, log: silentLog });
  /** Tasks with a workspace each. */
  const create = async (count: number) => {
    const ids = await createTasks(database, 'a1', count);
    for (const taskId of ids) kept.set(taskId, { accountId: 'a1', taskId });
    return ids;
  };
  return { clock, database, sweeper, kept, stuck, create, blobStore, blobs };
}

describe('Sweeper', () => {
  it('removes only the workspaces of deleted tasks, soon and several together', async () => {
    const { clock, database, sweeper, kept, create } = openSweeper();
    await sweeper.start();
    await clock.advance(soonMs);
    const ids = await create(600);
    const gone = ids.filter((_, index) => index % 3 === 0);
    for (const taskId of gone) await database.run(deleteTask, { accountId: 'a1', taskId });
    expect(kept.size).toBe(600);
    await clock.advance(soonMs);
    expect([...kept.keys()]).toEqual(ids.filter((id) => !gone.includes(id)));
    await sweeper.stop();
  });

  it('finds at its start what was deleted while it was not running', async () => {
    const { clock, database, sweeper, kept, create } = openSweeper();
    const [taskId = ''] = await create(1);
    await database.run(deleteTask, { accountId: 'a1', taskId });
    await sweeper.start();
    await clock.advance(soonMs);
    expect(kept.size).toBe(0);
    await sweeper.stop();
  });

  it('retries a folder that cannot be removed later, and removes the others', async () => {
    const { clock, database, sweeper, kept, stuck, create } = openSweeper();
    const ids = await create(3);
    stuck.add(ids[0] ?? '');
    for (const taskId of ids) await database.run(deleteTask, { accountId: 'a1', taskId });
    await sweeper.start();
    await clock.advance(soonMs);
    expect([...kept.keys()]).toEqual(ids.slice(0, 1));
    stuck.clear();
    await clock.advance(everyMs);
    expect(kept.size).toBe(0);
    await sweeper.stop();
  });

  it('removes workspaces that followed their task elsewhere, unless a worker holds the task or has just restored them', async () => {
    const { database, blobs, clock } = openSweeper();
    const folder = createFolder('workspaces');
    const workspaces = createWorkspaces(folder);
    const sweeper = new Sweeper({ database, workspaces, blobs, clock, log: silentLog });
    const place = async (saved: number, local: number, { isIdle = true, isNew = false } = {}) => {
      const task = await createClaimed(database);
      for (let count = 0; count < saved; count += 1) {
        const { blobId } = await blobs.put(task.accountId, inPieces(Buffer.from('x')), { maxBytes: 9 });
        await database.run(recordWorkspaceSave, { ...task, blobId, now: nextMs() });
      }
      const workspace = workspaces.open(task.accountId, task.taskId);
      await workspace.write('a.txt', 'x');
      await workspaces.setGeneration(task.accountId, task.taskId, local);
      if (!isNew) utimesSync(workspace.root, 1000, 1000);
      if (isIdle) await database.run(stopTask, { ...task, now: nextMs() });
      return workspace.root;
    };
    const kept = [await place(2, 2), await place(0, 0), await place(2, 1, { isIdle: false }), await place(2, 1, { isNew: true })];
    const stale = await place(2, 1);
    await sweeper.start();
    while (existsSync(stale)) await clock.advance(soonMs);
    await sweeper.stop();
    expect(kept.filter((root) => !existsSync(join(root, 'a.txt')))).toEqual([]);
    removeFolder(folder);
  });

  it('deletes expired idempotency keys, even many of them', async () => {
    const { clock, database, sweeper } = openSweeper();
    const use = (key: string, now: number) =>
      database.runOnce(createTask, sampleTask('a1'), { accountId: 'a1', key, operation: 'task.create', bodyDigest: 'd', now });
    for (let count = 0; count < 300; count += 1) await use(`old${count}`, clock.now() - idempotencyTtlMs);
    await use('new', clock.now());
    await sweeper.start();
    await clock.advance(soonMs);
    expect(await use('new', clock.now())).toMatchObject({ isReplay: true });
    expect(await use('old7', clock.now() - idempotencyTtlMs)).toMatchObject({ isReplay: false });
    await sweeper.stop();
  });

  it('resumes after a store outage', async () => {
    const { clock, database, sweeper, kept, create } = openSweeper();
    const [taskId = ''] = await create(1);
    await database.run(deleteTask, { accountId: 'a1', taskId });
    database.interference.before = () => {
      throw new Error('away');
    };
    await sweeper.start();
    await clock.advance(soonMs);
    expect(kept.size).toBe(1);
    database.interference = {};
    await clock.advance(everyMs);
    expect(kept.size).toBe(0);
    await sweeper.stop();
  });

  it('leaves nothing running, however often it is started and stopped', async () => {
    const { clock, sweeper } = openSweeper();
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? sweeper.start() : sweeper.stop())));
      expect(clock.timerCount).toBe(0);
    }
    await sweeper.start();
    await clock.advance(everyMs);
    const stopping = sweeper.stop();
    await clock.advance(0);
    await stopping;
    expect(clock.timerCount).toBe(0);
  });
});

describe('the storage of accounts', () => {
  it.runIf(process.platform === 'linux')('is corrected although one workspace cannot be measured', async () => {
    const clock = new TestClock();
    const database = new MemoryDatabase(clock);
    const folder = createFolder('workspaces');
    const workspaces = createWorkspaces(folder);
    const [first = '', second = ''] = await createTasks(database, 'a1', 2);
    for (const taskId of [first, second]) await workspaces.open('a1', taskId).write('a.txt', 'x');
    const open = (accountId: string, taskId: string) => {
      if (taskId === first) throw new Error('EIO');
      return workspaces.open(accountId, taskId);
    };
    const blobs = createBlobs({ database, blobStore: new MemoryBlobStore(), clock });
    const sweeper = new Sweeper({ database, workspaces: { ...workspaces, open }, blobs, clock, log: silentLog });
    await sweeper.start();
    const files = () => database.query('SELECT task_id, files FROM workspace_use');
    while (files().length === 0) await clock.advance(1000);
    expect(files()).toEqual([{ task_id: second, files: 1 }]);
    await sweeper.stop();
  });
});
