import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Blobs } from '../../src/store/blobs/blobs.ts';
import { readStorageUse, recordWorkspaceUse } from '../../src/store/blobs/storage-use.ts';
import type { Database } from '../../src/store/db/database.ts';
import type { TaskKey } from '../../src/store/events/task-key.ts';
import { deleteTask } from '../../src/store/tasks/tasks.ts';
import { findWorkspaceSave } from '../../src/store/tasks/workspace-saves.ts';
import { reconcileStorage } from '../../src/work/instance/storage-reconciliation.ts';
import { Sweeper } from '../../src/work/instance/sweeper.ts';
import { describeStores } from '../support/db/databases.ts';
import { MemoryBlobStore } from '../support/files/memory-blob-store.ts';
import {
  createQuiet,
  dayMs,
  DyingProcess,
  longAgo,
  openMachine,
  resume,
  unlockMachines,
} from '../support/files/packing-machine.ts';
import { describeTree, fillWorkspace, writeHello } from '../support/files/workspace-samples.ts';
import { createFolder } from '../support/process/leftovers.ts';

const insertAccount = "INSERT INTO accounts (account_id, email, plan, locale, created_at) VALUES (?, 'a@b.c', 'pro', 'en', 1)";

describeStores('the workspace of a quiet task', (store) => {
  afterAll(unlockMachines);
  const holdForBackup = () => store.query("INSERT INTO instance (name, value) VALUES ('backup:one', '9999999999999')");
  const endBackup = () => store.query("DELETE FROM instance WHERE name = 'backup:one'");
  const isPacked = async (key: TaskKey) => ((await store.database.run(findWorkspaceSave, key))?.packedBytes ?? null) !== null;

  it('is one archive without a folder, and comes back with contents, modes, times, links, holes, and empty folders', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine, fillWorkspace);
    const root = machine.rootOf(key);
    const before = describeTree(root);
    expect(await machine.pack()).toBe(1);
    expect(existsSync(root)).toBe(false);
    expect(readdirSync(join(machine.folder, key.accountId))).toEqual([]);
    expect([await isPacked(key), machine.blobStore.kept.size]).toEqual([true, 1]);
    expect(await machine.keeper.restore(key)).toBe('kept');
    expect(describeTree(root)).toEqual(before);
    expect(lstatSync(join(root, 'sparse')).blocks * 512).toBeLessThan(1024 * 1024);
    expect(await isPacked(key)).toBe(false);
  });

  it('comes back once more after it was changed and packed again', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    for (const round of ['one', 'two', 'three']) {
      expect(await machine.pack()).toBe(1);
      await machine.keeper.restore(key);
      writeFileSync(join(machine.rootOf(key), `${round}.txt`), round);
      // A restored folder counts as touched.
      expect(await machine.pack()).toBe(0);
      utimesSync(machine.rootOf(key), longAgo, longAgo);
    }
    expect(readdirSync(machine.rootOf(key)).toSorted()).toEqual(['hello.txt', 'one.txt', 'three.txt', 'two.txt']);
  });

  it('stays while the task runs, has changed lately, or a backup copies folders, and if it belongs to nobody', async () => {
    const machine = openMachine(store);
    const lately = await createQuiet(store, machine);
    await store.query('UPDATE tasks SET updated_at = ? WHERE id = ?', Date.now() - dayMs, lately.taskId);
    const running = await createQuiet(store, machine);
    await resume(store, running);
    const touched = await createQuiet(store, machine);
    utimesSync(machine.rootOf(touched), new Date(), new Date());
    const quiet = await createQuiet(store, machine);
    // A folder below another account does not reach the task of that name.
    const stranger = { accountId: 'stranger', taskId: quiet.taskId };
    mkdirSync(machine.rootOf(stranger), { recursive: true });
    writeHello(machine.rootOf(stranger));
    utimesSync(machine.rootOf(stranger), longAgo, longAgo);
    await holdForBackup();
    expect(await machine.pack()).toBe(0);
    await endBackup();
    expect(await machine.pack()).toBe(1);
    expect([lately, running, touched, stranger].map((key) => existsSync(machine.rootOf(key)))).toEqual([true, true, true, true]);
    expect(existsSync(machine.rootOf(quiet))).toBe(false);
  });

  it('stays a folder if an archive cannot hold all of it, and nothing is stored', async () => {
    const machine = openMachine(store);
    const fills: ((root: string) => void)[] = [
      (root) => writeFileSync(join(root, 'line\nbreak'), 'x'),
      (root) => execFileSync('mkfifo', [join(root, 'pipe')]),
      (root) => mkdirSync(join(root, ...Array.from({ length: 33 }, () => 'd')), { recursive: true }),
      (root) => execFileSync('sh', ['-c', `ln -s "$(printf '\\377')" link`], { cwd: root }),
    ];
    const keys: TaskKey[] = [];
    for (const fill of fills) keys.push(await createQuiet(store, machine, fill));
    const before = keys.map((key) => describeTree(machine.rootOf(key)));
    expect(await machine.pack()).toBe(0);
    expect(keys.map((key) => describeTree(machine.rootOf(key)))).toEqual(before);
    expect(machine.blobStore.kept.size).toBe(0);
  });

  it('keeps links as links, whatever they lead to', async () => {
    const machine = openMachine(store);
    const outside = createFolder('outside');
    writeFileSync(join(outside, 'secret'), 'canary');
    const key = await createQuiet(store, machine, (root) => {
      symlinkSync(outside, join(root, 'out'));
      symlinkSync('/dev/zero', join(root, 'zero'));
      symlinkSync('out/secret', join(root, 'through'));
    });
    expect(await machine.pack()).toBe(1);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('canary');
    await machine.keeper.restore(key);
    const root = machine.rootOf(key);
    expect(['out', 'zero', 'through'].map((name) => readlinkSync(join(root, name)))).toEqual([
      outside,
      '/dev/zero',
      'out/secret',
    ]);
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('stays if its task continues while it is packed, and the archive is dropped', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    const blobs = {
      open: machine.blobs.open,
      put: async (...args: Parameters<Blobs['put']>) => {
        await resume(store, key);
        return machine.blobs.put(...args);
      },
    };
    expect(await machine.pack({ blobs })).toBe(0);
    expect(readFileSync(join(machine.rootOf(key), 'hello.txt'), 'utf8')).toBe('Hello');
    await machine.blobs.sweep();
    expect(machine.blobStore.kept.size).toBe(0);
  });

  it('stays if the archive is not read back as it was stored', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    const blobs = {
      async put(...args: Parameters<Blobs['put']>) {
        const stored = await machine.blobs.put(...args);
        machine.blobStore.kept.set(`${key.accountId}/${stored.blobId}`, Buffer.from('damaged'));
        return stored;
      },
      open: machine.blobs.open,
    };
    expect(await machine.pack({ blobs })).toBe(0);
    expect(existsSync(join(machine.rootOf(key), 'hello.txt'))).toBe(true);
    expect(await isPacked(key)).toBe(false);
  });

  it('is whole wherever a process ends while it packs or unpacks', async () => {
    for (let step = 1, isDone = false; !isDone; step += 1) {
      const blobStore = new MemoryBlobStore();
      const calm = openMachine(store, { blobStore });
      const { folder } = calm;
      const key = await createQuiet(store, calm, fillWorkspace);
      const before = describeTree(calm.rootOf(key));
      const dying = openMachine(store, { folder, blobStore, process: new DyingProcess(step) });
      isDone = (await dying.pack().catch(() => 0)) === 1 && (await dying.keeper.restore(key).catch(() => null)) === 'kept';
      expect(await openMachine(store, { folder, blobStore }).keeper.restore(key)).toBe('kept');
      expect(describeTree(calm.rootOf(key)), `ended at step ${step}`).toEqual(before);
      expect(readdirSync(join(folder, key.accountId)).filter((name) => name.endsWith('.stale'))).toEqual([]);
    }
  });

  it('is replaced by its archive if a removal of the folder, or an unpacking, was cut off', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine, fillWorkspace);
    const root = machine.rootOf(key);
    const before = describeTree(root);
    expect(await machine.pack()).toBe(1);
    mkdirSync(`${root}.stale/half`, { recursive: true });
    mkdirSync(join(root, 'half'), { recursive: true });
    await machine.keeper.restore(key);
    expect(describeTree(root)).toEqual(before);
    expect(existsSync(`${root}.stale`)).toBe(false);
  });

  it('comes back on another machine, and is packed by one of two that share a disk', async () => {
    const blobStore = new MemoryBlobStore();
    const folder = createFolder('packed');
    const [database, other] = store.others;
    const one = openMachine(store, { folder, blobStore, ...(database && { database }) });
    const two = openMachine(store, { folder, blobStore, ...(other && { database: other }) });
    const keys = [await createQuiet(store, one), await createQuiet(store, one), await createQuiet(store, one)];
    const packed = await Promise.all([one.pack(), two.pack()]);
    expect(packed.reduce((sum, number) => sum + number, 0)).toBe(keys.length);
    const far = openMachine(store, { blobStore });
    for (const key of keys) {
      await far.keeper.restore(key);
      expect(readFileSync(join(far.rootOf(key), 'hello.txt'), 'utf8')).toBe('Hello');
    }
  });

  it('is unpacked for whoever looks into it, and only then', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    await machine.pack();
    await machine.keeper.unpack(key);
    expect(readFileSync(join(machine.rootOf(key), 'hello.txt'), 'utf8')).toBe('Hello');
    await machine.keeper.unpack({ accountId: 'stranger', taskId: key.taskId });
    expect(existsSync(machine.rootOf({ accountId: 'stranger', taskId: key.taskId }))).toBe(false);
  });

  it('counts for its account what it counted before, and nothing once its task is deleted', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    const { accountId } = key;
    await store.database.run(recordWorkspaceUse, { ...key, bytes: 100_000, files: 1 });
    const read = async () => {
      const { blobs, workspaces, packed } = await store.database.run(readStorageUse, { accountId });
      return { total: blobs.bytes + workspaces.bytes, packed };
    };
    await machine.pack();
    const [archive] = machine.blobStore.kept.values();
    const bytes = archive?.byteLength ?? 0;
    expect(await read()).toEqual({ total: 100_000, packed: { bytes, files: 1 } });
    await store.query(insertAccount, accountId);
    await reconcileStorage(machine, [], () => true);
    expect(await read()).toEqual({ total: 100_000, packed: { bytes, files: 1 } });
    await store.database.run(deleteTask, key);
    await machine.blobs.sweep();
    expect(await read()).toEqual({ total: 0, packed: { bytes: 0, files: 0 } });
    expect(machine.blobStore.kept.size).toBe(0);
  });

  it('leaves no folder that a backup kept from being removed', async () => {
    const machine = openMachine(store);
    const key = await createQuiet(store, machine);
    const { keeper } = machine;
    const whileRecorded: Database['run'] = async (operation, args) => {
      const result = await store.database.run(operation, args);
      if (operation.name === 'packedWorkspaces.record') await holdForBackup();
      return result;
    };
    const database = new Proxy(store.database, {
      get: (whole, name) => (name === 'run' ? whileRecorded : (Reflect.get(whole, name, whole) as unknown)),
    });
    expect(await machine.pack({ database })).toBe(1);
    expect(existsSync(machine.rootOf(key))).toBe(true);
    await endBackup();
    const sweeper = new Sweeper({ ...machine });
    await sweeper.start();
    while (existsSync(machine.rootOf(key))) await machine.clock.advance(2000);
    await sweeper.stop();
    await keeper.restore(key);
    expect(readFileSync(join(machine.rootOf(key), 'hello.txt'), 'utf8')).toBe('Hello');
  });
});
