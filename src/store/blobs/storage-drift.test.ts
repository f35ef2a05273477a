import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { silentLog } from '@errand/base/log.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks } from '../../../test/support/db/store-samples.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { reconcileCounters } from '../../work/instance/storage-reconciliation.ts';
import type { Database } from '../db/database.ts';
import { createBlobs } from './blobs.ts';
import { correctStorageUse, deleteOrphanedUse, findNextAccount, measureDrift } from './storage-drift.ts';
import { readStorageUse, recordWorkspaceUse } from './storage-use.ts';

describeStores('what is counted of an account', (store) => {
  const blobs = () => createBlobs({ database: store.database, blobStore: new MemoryBlobStore(), clock: systemClock });
  const put = (accountId: string, bytes: number) =>
    blobs().put(accountId, inPieces(Buffer.from('x'.repeat(bytes))), { maxBytes: 100 });
  const record = (accountId: string, taskId: string, bytes: number) =>
    store.database.run(recordWorkspaceUse, { accountId, taskId, bytes, files: 1 });
  const use = (accountId: string) => store.database.run(readStorageUse, { accountId });
  const addAccount = (accountId: string) =>
    store.query(
      "INSERT INTO accounts (account_id, email, plan, locale, created_at) VALUES (?, ?, 'pro', 'en', 1)",
      accountId,
      `${accountId}@b.c`,
    );
  const reconcile = (database: Pick<Database, 'run'> = store.database) =>
    reconcileCounters({ database: database as Database, log: silentLog }, () => true);

  it('is corrected, also for blobs of an earlier release and workspaces of deleted tasks', async () => {
    const all = blobs();
    const [taskId = ''] = await createTasks(store.database, 'a1', 1);
    await addAccount('a1');
    const { blobId } = await all.put('a1', inPieces(Buffer.from('xxxx')), { maxBytes: 10 });
    await store.query('UPDATE blobs SET bytes = NULL, sweep_at = NULL WHERE id = ?', blobId);
    for (const id of [taskId, 'gone']) await record('a1', id, 2);
    await store.query('UPDATE storage_use SET blob_bytes = 99, workspace_bytes = 99, blobs = 0');
    expect(await all.measure()).toBe(1);
    expect(await all.measure()).toBe(0);
    await reconcile();
    expect(await use('a1')).toMatchObject({ blobs: { bytes: 4, files: 1 }, workspaces: { bytes: 2, files: 1 } });
  });

  it('is corrected by the difference, whatever the account stores while it is summed up', async () => {
    await addAccount('a1');
    await put('a1', 4);
    await store.query('UPDATE storage_use SET blob_bytes = 99, blobs = 7, packed_bytes = 5, packed_workspaces = 1');
    const measured = await store.database.run(measureDrift, { accountId: 'a1', isLarge: true });
    expect(measured.drift).toEqual({
      blobs: { bytes: -95, files: -6 },
      workspaces: { bytes: 0, files: 0 },
      packed: { bytes: -5, files: -1 },
    });
    await put('a1', 10);
    await record('a1', 't1', 3);
    await store.database.run(correctStorageUse, { accountId: 'a1', ...measured });
    expect(await use('a1')).toMatchObject({
      blobs: { bytes: 14, files: 2 },
      workspaces: { bytes: 3, files: 1 },
      packed: { bytes: 0, files: 0 },
    });
  });

  it.each(['with a count', 'without one'])(
    'is corrected once by several processes that sum it up together, %s',
    async (which) => {
      await addAccount('a1');
      await put('a1', 4);
      await store.query(which === 'without one' ? 'DELETE FROM storage_use' : 'UPDATE storage_use SET blob_bytes = 99');
      const measure = () => store.database.run(measureDrift, { accountId: 'a1', isLarge: true });
      const [one, two] = [await measure(), await measure()];
      await put('a1', 10);
      for (const measured of [one, two]) await store.database.run(correctStorageUse, { accountId: 'a1', ...measured });
      expect((await use('a1')).blobs).toEqual({ bytes: 14, files: 2 });
      await store.query('UPDATE storage_use SET blobs = 7');
      await store.database.run(correctStorageUse, { accountId: 'a1', ...(await measure()) });
      expect((await use('a1')).blobs).toEqual({ bytes: 14, files: 2 });
    },
  );

  it('is not there again for an account that is deleted while it is summed up', async () => {
    await addAccount('a1');
    await put('a1', 4);
    await store.query('UPDATE storage_use SET blob_bytes = 99');
    const measured = await store.database.run(measureDrift, { accountId: 'a1', isLarge: false });
    for (const table of ['storage_use', 'accounts']) await store.query(`DELETE FROM ${table}`);
    await store.database.run(correctStorageUse, { accountId: 'a1', ...measured });
    expect(await store.query('SELECT * FROM storage_use')).toEqual([]);
  });

  it('is left alone by a stop, however many workspaces of an account are still to be looked at', async () => {
    await addAccount('a1');
    for (let at = 0; at < 1001; at += 1) await record('a1', `t${at}`, 2);
    let looks = 0;
    const counting: Pick<Database, 'run'> = {
      run: (operation, args) => {
        if (operation.name === deleteOrphanedUse.name) looks += 1;
        return store.database.run(operation, args);
      },
    };
    await reconcileCounters({ database: counting as Database, log: silentLog }, () => looks === 0);
    expect(looks).toBe(1);
  });

  it('has no workspaces of deleted tasks, however few are looked at at once, and keeps those of others', async () => {
    const kept = await createTasks(store.database, 'a1', 2);
    for (const taskId of [...kept, '0', 'gone', 'zz']) await record('a1', taskId, 2);
    await record('a2', 'other', 2);
    for (let after: string | null = ''; after !== null; ) {
      after = await store.database.run(deleteOrphanedUse, { accountId: 'a1', after, limit: 1 });
    }
    const rows = await store.query('SELECT task_id FROM workspace_use ORDER BY account_id, task_id');
    expect(rows.map((row) => row.task_id)).toEqual([...kept.toSorted(), 'other']);
  });

  it('is summed up beside everything else if there is much of it', async () => {
    await addAccount('a1');
    await addAccount('a2');
    await store.query(
      `INSERT INTO storage_use (account_id, blob_bytes, blobs, workspace_bytes, workspace_files) VALUES ('a2', 1, 6000, 1, 6000)`,
    );
    const next = (after: string) => store.database.run(findNextAccount, { after });
    expect([await next(''), await next('a1'), await next('a2')]).toEqual([
      { accountId: 'a1', isLarge: false },
      { accountId: 'a2', isLarge: true },
      null,
    ]);
    const owner = measureDrift.scans?.({ accountId: 'a2', isLarge: true });
    expect([owner, measureDrift.scans?.({ accountId: 'a1', isLarge: false })]).toEqual(['a2', null]);
  });

  it('stays for one account that cannot be summed up now, and is corrected for the others', async () => {
    for (const accountId of ['a1', 'a2']) {
      await addAccount(accountId);
      await put(accountId, 4);
    }
    await store.query('UPDATE storage_use SET blob_bytes = 99');
    const busy: Pick<Database, 'run'> = {
      run: (operation, args) =>
        operation.name === measureDrift.name && (args as { accountId: string }).accountId === 'a1'
          ? Promise.reject(new Fault('unavailable', 'Too many searches are in progress.'))
          : store.database.run(operation, args),
    };
    await reconcile(busy);
    expect([(await use('a1')).blobs.bytes, (await use('a2')).blobs.bytes]).toEqual([99, 4]);
  });
});
