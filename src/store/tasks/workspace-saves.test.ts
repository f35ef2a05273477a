import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { claim, createClaimed, nextMs } from '../../../test/support/db/store-samples.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createBlobs } from '../blobs/blobs.ts';
import { deleteTask, messageTask, stopTask } from './tasks.ts';
import { findWorkspaceSave, listIdleWorkspaces, recordWorkspaceSave } from './workspace-saves.ts';

describeStores('the copy of a workspace', (store) => {
  const open = async () => {
    const blobStore = new MemoryBlobStore();
    const blobs = createBlobs({ database: store.database, blobStore, clock: systemClock });
    const task = await createClaimed(store.database);
    const put = async (text: string) => (await blobs.put(task.accountId, inPieces(Buffer.from(text)), { maxBytes: 100 })).blobId;
    const record = async (fence: number, text: string) =>
      store.database.run(recordWorkspaceSave, { ...task, fence, blobId: await put(text), now: nextMs() });
    const find = () => store.database.run(findWorkspaceSave, task);
    return { blobStore, blobs, task, record, find };
  };
  const message = { type: 'user_message', text: 'go on', kind: 'text' } as const;

  it('is replaced by the worker that holds the task, and the previous one is swept', async () => {
    const { blobStore, blobs, task, record, find } = await open();
    expect(await find()).toBeNull();
    expect([await record(task.fence, 'one'), await record(task.fence, 'two')]).toEqual([1, 2]);
    expect((await find())?.generation).toBe(2);
    await blobs.sweep();
    expect([...blobStore.kept.values()].map(String)).toEqual(['two']);
  });

  it('is listed with its number while nothing can claim the task and no backup copies folders', async () => {
    const { task, record } = await open();
    await record(task.fence, 'one');
    const key = { accountId: task.accountId, taskId: task.taskId };
    const list = () => store.database.run(listIdleWorkspaces, [key, { ...key, taskId: 'none' }]);
    expect(await list()).toEqual([]);
    await store.database.run(stopTask, { ...task, now: nextMs() });
    expect(await list()).toEqual([{ ...key, generation: 1 }]);
    await store.query("INSERT INTO instance (name, value) VALUES ('backup:b2', ?)", String(Date.now() + 600_000));
    expect(await list()).toEqual([]);
    await store.query("DELETE FROM instance WHERE name = 'backup:b2'");
    await store.database.run(messageTask, { ...task, now: nextMs(), message, profile: null });
    expect(await list()).toEqual([]);
    expect(await store.database.run(listIdleWorkspaces, [])).toEqual([]);
  });

  it('is not replaced by a worker that has lost the task', async () => {
    const { task, record, find } = await open();
    await record(task.fence, 'ours');
    await store.query("UPDATE tasks SET wake_at = 1 WHERE status = 'running'");
    await claim(store.database);
    expect(await record(task.fence, 'too late')).toBeNull();
    expect((await find())?.generation).toBe(1);
  });

  it('can still be saved after a stop, until another worker claims the task', async () => {
    const { task, record, find } = await open();
    await store.database.run(stopTask, { ...task, now: nextMs() });
    expect(await record(task.fence, 'as it was stopped')).toBe(1);
    await store.database.run(messageTask, { ...task, now: nextMs(), message, profile: null });
    await claim(store.database);
    expect(await record(task.fence, 'too late')).toBeNull();
    expect((await find())?.generation).toBe(1);
  });

  it('is deleted with the task', async () => {
    const { blobStore, blobs, task, record, find } = await open();
    await record(task.fence, 'one');
    await store.database.run(deleteTask, task);
    await blobs.sweep();
    expect([await find(), blobStore.kept.size]).toEqual([null, 0]);
  });
});
