import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Blobs } from '../../src/store/blobs/blobs.ts';
import { readStorageUse, recordWorkspaceUse } from '../../src/store/blobs/storage-use.ts';
import type { TaskKey } from '../../src/store/events/task-key.ts';
import { clearTask } from '../../src/store/tasks/clear-task.ts';
import { recordPackedWorkspace } from '../../src/store/tasks/packed-workspaces.ts';
import { deleteTask } from '../../src/store/tasks/tasks.ts';
import { findWorkspaceSave } from '../../src/store/tasks/workspace-saves.ts';
import { reconcileStorage } from '../../src/work/instance/storage-reconciliation.ts';
import { WorkspaceSweeper } from '../../src/work/instance/sweeper.ts';
import { describeStores } from '../support/db/databases.ts';
import { createQuiet, longAgo, openMachine, unlockMachines } from '../support/files/packing-machine.ts';
import { describeTree, fillWorkspace } from '../support/files/workspace-samples.ts';

describeStores('a packed workspace in use', (store) => {
  afterAll(unlockMachines);
  const find = (key: TaskKey) => store.database.run(findWorkspaceSave, key);
  const readUse = async ({ accountId }: TaskKey) => {
    const { workspaces, packed } = await store.database.run(readStorageUse, { accountId });
    return { workspaces, packed };
  };
  const nothing = { bytes: 0, files: 0 };

  it('is shown whole to all who look into it at once, and after an unpacking was cut off', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine, fillWorkspace);
    const root = machine.rootOf(key);
    const before = describeTree(root);
    expect(await machine.pack()).toBe(1);
    mkdirSync(join(root, 'half'), { recursive: true });
    const looks = [1, 2, 3].map(async () => {
      await machine.keeper.unpack(key);
      return describeTree(root);
    });
    expect(await Promise.all(looks)).toEqual([before, before, before]);
  });

  it('has no half of a folder after an unpacking that failed, where an earlier version would take it for whole', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine, fillWorkspace);
    const before = describeTree(machine.rootOf(key));
    await machine.pack();
    const [[place, archive] = ['', Buffer.alloc(0)]] = [...machine.blobStore.kept];
    machine.blobStore.kept.set(place, archive.subarray(0, archive.length / 2));
    await expect(machine.keeper.unpack(key)).rejects.toThrow();
    if (store.engine === 'sqlite') expect(existsSync(machine.rootOf(key))).toBe(false);
    machine.blobStore.kept.set(place, archive);
    await machine.keeper.unpack(key);
    expect(describeTree(machine.rootOf(key))).toEqual(before);
  });

  it('keeps its folder while a parent reads it, also if it is packed meanwhile', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    const blobs = {
      open: machine.blobs.open,
      put: async (...args: Parameters<Blobs['put']>) => {
        await machine.keeper.restoreToRead(key);
        return machine.blobs.put(...args);
      },
    };
    expect(await machine.pack({ blobs })).toBe(1);
    expect(readFileSync(join(machine.rootOf(key), 'hello.txt'), 'utf8')).toBe('Hello');
    expect((await find(key))?.packedBytes).toBeGreaterThan(0);
  });

  it('keeps the previous copy if the new one was swept before it was recorded', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    expect(await machine.pack()).toBe(1);
    const before = await find(key);
    const [task] = await store.query('SELECT fence FROM tasks WHERE id = ?', key.taskId);
    const generation = before?.generation ?? 0;
    const record = { ...key, fence: Number(task?.fence), generation, next: generation + 1, blobId: 'gone', bytes: 1, now: 1 };
    await expect(store.database.run(recordPackedWorkspace, record)).rejects.toMatchObject({ code: 'internal' });
    await machine.blobs.sweep();
    expect(await find(key)).toEqual(before);
    expect(machine.blobStore.kept.size).toBe(1);
  });

  it('counts nothing once its task was emptied', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    await store.query("UPDATE tasks SET task_type = 'agent_main' WHERE id = ?", key.taskId);
    await store.database.run(recordWorkspaceUse, { ...key, bytes: 100_000, files: 1 });
    await machine.pack();
    await store.database.run(clearTask, { ...key, now: Date.now() });
    expect(await readUse(key)).toEqual({ workspaces: nothing, packed: nothing });
  });

  it('is not measured as a folder again while its archive counts', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    await store.database.run(recordWorkspaceUse, { ...key, bytes: 100_000, files: 1 });
    await machine.pack();
    const before = await readUse(key);
    // As if a backup had begun before the folder was removed.
    mkdirSync(machine.rootOf(key), { recursive: true });
    writeFileSync(join(machine.rootOf(key), 'large'), Buffer.alloc(500_000, 'x'));
    await reconcileStorage(machine, [key], () => true);
    expect(await readUse(key)).toEqual(before);
  });

  it('does not keep a process from stopping', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine, (root) => {
      for (let count = 0; count < 64; count += 1)
        writeFileSync(join(root, `${count}`), crypto.getRandomValues(new Uint8Array(65_536)));
    });
    const stopping = new AbortController();
    let passed = 0;
    const blobs = {
      open: machine.blobs.open,
      put: (accountId: string, content: AsyncIterable<Uint8Array>, options: Parameters<Blobs['put']>[2]) => {
        async function* watched() {
          for await (const piece of content) {
            stopping.abort();
            passed += piece.byteLength;
            yield piece;
          }
        }
        return machine.blobs.put(accountId, watched(), options);
      },
    };
    expect(await machine.pack({ blobs, signal: stopping.signal })).toBe(0);
    expect(passed).toBeLessThan(64 * 65_536);
    expect(readdirSync(machine.rootOf(key))).toHaveLength(64);
    expect(await find(key)).toBeNull();
  });

  it('leaves no folder where somebody looked into it in a process without tasks', async () => {
    const machine = openMachine(store);
    const [deleted, quiet] = [await createQuiet(store, machine), await createQuiet(store, machine)];
    expect(await machine.pack()).toBe(2);
    const api = openMachine(store, { blobStore: machine.blobStore });
    for (const key of [deleted, quiet]) await api.keeper.unpack(key);
    expect(existsSync(api.rootOf(deleted))).toBe(true);
    await store.database.run(deleteTask, deleted);
    const sweeper = new WorkspaceSweeper(api);
    await sweeper.start();
    while (existsSync(api.rootOf(deleted))) await api.clock.advance(2000);
    await sweeper.stop();
    utimesSync(api.rootOf(quiet), longAgo, longAgo);
    expect(await api.pack()).toBe(1);
    expect(existsSync(api.rootOf(quiet))).toBe(false);
  });
});
