import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { createBlobs } from '../blobs/blobs.ts';
import { readStorageUse } from '../blobs/storage-use.ts';
import { reconcileCounters } from '../../work/instance/storage-reconciliation.ts';
import { createAccount } from '../accounts/accounts.ts';
import { claimProjectSetup, findProjectSetup, recordProjectSetup, renewProjectSetup } from './project-setups.ts';
import { createProject, listProjects, updateProject } from './projects.ts';

describeStores('the setup of a project', (store) => {
  const times = { ttlMs: 60_000, retryMs: 60_000 };
  const run: typeof store.database.run = (operation, args) => store.database.run(operation, args);

  async function makeProject(setupScript = 'one') {
    const key = { accountId: newAccountId(), projectId: newId(nextMs()) };
    const account = { accountId: key.accountId, email: `${key.accountId}@example.com`, plan: 'pro', locale: 'en' } as const;
    await run(createAccount, { ...account, createdAtMs: nextMs() });
    const texts = { name: 'P', instruction: '', connectors: [], skills: [], actions: 'allow' as const, memory: true };
    await run(createProject, { ...key, ...texts, setupScript, retentionDays: 0, now: nextMs() });
    return key;
  }

  async function makeBlob(accountId: string) {
    const blobs = createBlobs({ database: store.database, blobStore: new MemoryBlobStore(), clock: systemClock });
    return blobs.put(accountId, Readable.from([Buffer.from('layer')]), { maxBytes: 100 });
  }

  const change = (key: { accountId: string; projectId: string }, setupScript: string) => {
    const same = { name: null, instruction: null, connectors: null, skills: null, actions: null, memory: null };
    return run(updateProject, { ...key, ...same, setupScript, retentionDays: 0, now: nextMs() });
  };

  it('is run by exactly one of those who want it at the same time', async () => {
    const key = await makeProject();
    const claims = [store.database, ...store.others, store.database].map((database) =>
      database.run(claimProjectSetup, { ...key, script: 'one', ...times }),
    );
    expect((await Promise.all(claims)).filter((claimed) => claimed !== null)).toEqual([1]);
    const foreign = { ...key, accountId: newAccountId() };
    expect(await run(claimProjectSetup, { ...foreign, script: 'one', ...times })).toBe(null);
    expect(await run(findProjectSetup, foreign)).toBe(null);
  });

  it('is begun anew when its worker has died, whose result then counts no more', async () => {
    const key = await makeProject();
    expect(await run(claimProjectSetup, { ...key, script: 'one', ...times, ttlMs: 0 })).toBe(1);
    expect(await run(claimProjectSetup, { ...key, script: 'one', ...times })).toBe(2);
    expect(await run(renewProjectSetup, { ...key, run: 1, ttlMs: 1000 })).toBe(false);
    expect(await run(recordProjectSetup, { ...key, run: 1, made: null, output: 'late' })).toBe(false);
    expect(await run(renewProjectSetup, { ...key, run: 2, ttlMs: 1000 })).toBe(true);
    expect(await run(findProjectSetup, key)).toMatchObject({ setup: { run: 2, status: 'running' } });
  });

  it('is kept until the script changes, and counts as storage of its account once', async () => {
    const key = await makeProject();
    const { accountId, projectId } = key;
    for (const [script, bytes] of [
      ['one', 1000],
      ['two', 300],
    ] as const) {
      const claimed = (await run(claimProjectSetup, { ...key, script, ...times })) ?? 0;
      const { blobId } = await makeBlob(accountId);
      const made = { blobId, use: { bytes, files: 3 }, untrusted: script === 'two' };
      expect(await run(recordProjectSetup, { ...key, run: claimed, made, output: script })).toBe(true);
      expect(await run(claimProjectSetup, { ...key, script, ...times })).toBe(null);
      const { setup } = (await run(findProjectSetup, key)) ?? {};
      expect(setup).toMatchObject({ status: 'ready', blobId, untrusted: script === 'two' });
      const counted = async () => (await run(readStorageUse, { accountId })).workspaces;
      expect(await counted()).toEqual({ bytes, files: 3 });
      await reconcileCounters({ database: store.database, log: silentLog }, () => true);
      expect(await counted()).toEqual({ bytes, files: 3 });
      const [shown] = await run(listProjects, accountId);
      expect(shown).toMatchObject({ id: projectId, setup: { status: 'ready', output: script } });
      expect((await change(key, 'two')).setup.status).toBe(script === 'two' ? 'ready' : 'pending');
    }
    expect((await change(key, '')).setup.status).toBe('none');
    expect(await run(findProjectSetup, key)).toBe(null);
  });

  it('is tried again some time after it failed, and at once when the script has changed', async () => {
    const key = await makeProject();
    await run(claimProjectSetup, { ...key, script: 'one', ...times });
    await run(recordProjectSetup, { ...key, run: 1, made: null, output: 'no such package' });
    expect(await run(findProjectSetup, key)).toMatchObject({ setup: { status: 'failed', output: 'no such package' } });
    expect(await run(claimProjectSetup, { ...key, script: 'one', ...times })).toBe(null);
    expect(await run(claimProjectSetup, { ...key, script: 'one', ...times, retryMs: 0 })).toBe(2);
    await change(key, 'two');
    expect(await run(claimProjectSetup, { ...key, script: 'one', ...times })).toBe(null);
    expect(await run(claimProjectSetup, { ...key, script: 'two', ...times })).toBe(3);
  });
});
