import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import { describeStores, type OpenStore } from '../../../test/support/db/databases.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { usualStorageLimits } from '../../rules/files/storage-quota.ts';
import { createAccount } from '../../store/accounts/accounts.ts';
import { createBlobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import { claimProjectSetup } from '../../store/projects/project-setups.ts';
import { createProject } from '../../store/projects/projects.ts';
import { ProjectSetups, type RunSetupScript } from './project-setups.ts';

const live = () => new AbortController().signal;
const quiet = () => undefined;

async function makeProject({ database }: OpenStore) {
  const key = { accountId: newAccountId(), projectId: newId(nextMs()) };
  const account = { accountId: key.accountId, email: `${key.accountId}@example.com`, plan: 'pro', locale: 'en' } as const;
  await database.run(createAccount, { ...account, createdAtMs: nextMs() });
  const texts = { name: 'P', instruction: '', connectors: [], skills: [], actions: 'allow' as const, memory: true };
  await database.run(createProject, { ...key, ...texts, setupScript: 'script', retentionDays: 0, now: nextMs() });
  return key;
}

/** A worker of its own machine; scripts are acted by the test. */
function makeWorker(database: Database, blobStore: MemoryBlobStore, runScript: RunSetupScript, clock: Clock = systemClock) {
  const folder = createFolder('setups');
  const blobs = createBlobs({ database, blobStore, clock: systemClock });
  const folders = createWorkspaces(folder);
  const parts = { database, folders, blobs, limits: usualStorageLimits, clock, log: silentLog };
  return { folder, setups: new ProjectSetups({ ...parts, runScript }) };
}

const succeed = (text: string, ran: string[] = []): RunSetupScript => {
  return ({ folder, script }) => {
    ran.push(script);
    writeFileSync(join(folder.root, 'made'), text);
    return Promise.resolve({ hasSucceeded: true, output: 'done', isUntrusted: true });
  };
};

/** The folder exists, as the sandbox would have made it. */
const inFolder =
  (run: RunSetupScript): RunSetupScript =>
  (work) => {
    mkdirSync(work.folder.root, { recursive: true });
    return run(work);
  };

describeStores('the setup script of a project', (store) => {
  it('runs once for tasks of several machines, each of which has what it made', async () => {
    const key = await makeProject(store);
    const blobStore = new MemoryBlobStore();
    const ran: string[] = [];
    const workers = [store.database, ...store.others].map((database) =>
      makeWorker(database, blobStore, inFolder(succeed('one', ran))),
    );
    const found = await Promise.all(workers.flatMap(({ setups }) => [0, 1].map(() => setups.find(key, live(), quiet))));
    expect(ran).toEqual(['script']);
    for (const layer of found) expect(readFileSync(join(String(layer?.folder), 'made'), 'utf8')).toBe('one');
    expect(found.every((layer) => layer?.folder !== null && layer?.isUntrusted === true)).toBe(true);
    expect(new Set(found.map((layer) => layer?.folder)).size).toBe(workers.length);
    await Promise.all(workers.map(({ setups }) => setups.stop()));
  });

  it('leaves nothing and tells why when it fails, and the tasks of that time do without', async () => {
    const key = await makeProject(store);
    let runs = 0;
    const fail = inFolder(({ folder }) => {
      runs += 1;
      writeFileSync(join(folder.root, 'half'), '');
      return Promise.resolve({ hasSucceeded: false, output: 'no such package', isUntrusted: false });
    });
    const { setups, folder } = makeWorker(store.database, new MemoryBlobStore(), fail);
    for (const _ of [1, 2]) expect(await setups.find(key, live(), quiet)).toEqual({ folder: null, problem: 'no such package' });
    expect(runs).toBe(1);
    await setups.stop();
    expect(readdirSync(join(folder, key.accountId))).toEqual([]);
  });

  it('is run by another worker when its own shuts down, and a dead one is waited for only until its lease ends', async () => {
    const key = await makeProject(store);
    const blobStore = new MemoryBlobStore();
    const begun = Promise.withResolvers<void>();
    const hang = inFolder(({ signal }) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
    });
    const first = makeWorker(store.database, blobStore, hang);
    const task = new AbortController();
    const waiting = first.setups.find(key, task.signal, quiet);
    await begun.promise;
    task.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await first.setups.stop();
    const second = makeWorker(store.database, blobStore, inFolder(succeed('two')));
    const found = await second.setups.find(key, live(), quiet);
    expect(found).toMatchObject({ isUntrusted: true });
    await second.setups.stop();
    const other = await makeProject(store);
    await store.database.run(claimProjectSetup, { ...other, script: 'script', ttlMs: 300, retryMs: 0 });
    const reports: string[] = [];
    expect(await second.setups.find(other, live(), (text) => reports.push(text))).toMatchObject({ isUntrusted: true });
    expect(reports).toEqual(['[the setup script of the project runs]\n']);
    await second.setups.stop();
  });

  it('is renewed for as long as it runs, and then no more', async () => {
    const key = await makeProject(store);
    const renewed: Promise<unknown>[] = [];
    const { database } = store;
    const watched: Database = {
      run(operation, args) {
        const result = database.run(operation, args);
        if (operation.name === 'projectSetups.renew') renewed.push(result);
        return result;
      },
      runOnce: (operation, args, once) => database.runOnce(operation, args, once),
      close: () => database.close(),
      deltas: database.deltas,
      hints: database.hints,
    };
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const run = inFolder(async (work) => {
      runs += 1;
      begun.resolve();
      await ended.promise;
      return succeed('late')(work);
    });
    const clock = new TestClock(undefined, async () => {
      await Promise.all(renewed);
      await new Promise((resolve) => setImmediate(resolve));
    });
    const { setups } = makeWorker(watched, new MemoryBlobStore(), run, clock);
    const task = new AbortController();
    const waiting = setups.find(key, task.signal, quiet);
    await begun.promise;
    task.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    for (let count = 1; count <= 12; count += 1) {
      await clock.advance(5_000);
      expect([count, renewed.length]).toEqual([count, count]);
    }
    expect(await Promise.all(renewed)).toEqual(renewed.map(() => true));
    ended.resolve();
    await expect.poll(() => clock.timerCount, { timeout: 60_000 }).toBe(0);
    const found = await setups.find(key, live(), quiet);
    expect(readFileSync(join(String(found?.folder), 'made'), 'utf8')).toBe('late');
    expect([runs, renewed.length]).toEqual([1, 12]);
    await setups.stop();
  });

  it('ends as failed if what it made cannot be kept whole', async () => {
    const key = await makeProject(store);
    const odd = inFolder(({ folder }) => {
      writeFileSync(join(folder.root, 'line\nbreak'), '');
      return Promise.resolve({ hasSucceeded: true, output: 'done', isUntrusted: false });
    });
    const { setups, folder } = makeWorker(store.database, new MemoryBlobStore(), odd);
    const found = await setups.find(key, live(), quiet);
    expect(found).toEqual({
      folder: null,
      problem: expect.stringMatching(/cannot be kept: line\nbreak \(unusable_name\)/) as string,
    });
    await setups.stop();
    expect(existsSync(join(folder, key.accountId, `${key.projectId}-1`))).toBe(false);
  });
});
