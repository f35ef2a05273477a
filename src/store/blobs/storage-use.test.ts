import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createBlobs } from './blobs.ts';
import { expectBlob, findUnmeasuredBlobs } from './blob-references.ts';
import { readStorageUse, readWorkspaceUse, recordBlob, recordWorkspaceUse } from './storage-use.ts';

describeStores('what an account stores', (store) => {
  const open = (limit = { bytes: 10, files: 3 }) => {
    const blobStore = new MemoryBlobStore();
    return { blobStore, blobs: createBlobs({ database: store.database, blobStore, clock: systemClock, limit }) };
  };
  const text = (length: number) => inPieces(Buffer.from('x'.repeat(length)));
  const use = (accountId = 'a1') => store.database.run(readStorageUse, { accountId });
  const full = { code: 'resource_exhausted', message: expect.stringContaining('Delete files or tasks') as string };

  it('is counted with each blob, and no longer once the sweeper has deleted it', async () => {
    const { blobs } = open();
    const { blobId } = await blobs.put('a1', text(4), { maxBytes: 10 });
    await blobs.put('a1', text(5), { maxBytes: 10 });
    expect((await use()).blobs).toEqual({ bytes: 9, files: 2 });
    await store.query('UPDATE blobs SET sweep_at = 1 WHERE id = ?', blobId);
    expect(await blobs.sweep()).toBe(1);
    expect((await use()).blobs).toEqual({ bytes: 5, files: 1 });
  });

  it('is bounded: a blob beyond the limit is refused with limit and remedy, counts nothing, and leaves others alone', async () => {
    const { blobs, blobStore } = open();
    await blobs.put('a1', text(8), { maxBytes: 10 });
    await expect(blobs.put('a1', text(3), { maxBytes: 10 })).rejects.toMatchObject(full);
    expect((await use()).blobs).toEqual({ bytes: 8, files: 1 });
    expect(blobStore.kept.size).toBe(1);
    await blobs.put('a2', text(3), { maxBytes: 10 });
    await blobs.put('a1', text(5), { maxBytes: 10, isCopy: true });
    expect((await use()).blobs).toEqual({ bytes: 13, files: 2 });
  });

  it('is bounded for blobs that arrive together, in this process and in several', async () => {
    const settle = async (puts: Promise<unknown>[]) => {
      const outcomes = await Promise.allSettled(puts);
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    };
    const one = open().blobs;
    expect(await settle([1, 2, 3].map(() => one.put('a1', text(6), { maxBytes: 10 })))).toBeLessThanOrEqual(1);
    expect(await settle([1, 2, 3].map(() => open().blobs.put('a2', text(6), { maxBytes: 10 })))).toBe(1);
  });

  it('includes workspaces, as they were last measured', async () => {
    const { blobs } = open();
    const record = (taskId: string, bytes: number, files: number) =>
      store.database.run(recordWorkspaceUse, { accountId: 'a1', taskId, bytes, files });
    await record('t1', 4, 1);
    await record('t2', 5, 1);
    expect((await record('t1', 3, 1)).workspaces).toEqual({ bytes: 8, files: 2 });
    await expect(blobs.put('a1', text(3), { maxBytes: 10 })).rejects.toMatchObject(full);
    await record('t1', 0, 0);
    await blobs.put('a1', text(3), { maxBytes: 10 });
    expect(await store.query('SELECT task_id FROM workspace_use')).toEqual([{ task_id: 't2' }]);
  });

  it('counts a blob once, and has one that found no room swept', async () => {
    const { blobs } = open();
    const limit = { bytes: 10, files: 3 };
    const record = (blobId: string, bytes: number) => store.database.run(recordBlob, { accountId: 'a1', blobId, bytes, limit });
    for (const blobId of ['b1', 'b2']) await store.database.run(expectBlob, { accountId: 'a1', blobId, graceMs: 60_000 });
    expect([await record('b1', 6), await record('b1', 6), await record('b2', 6)]).toEqual([true, true, false]);
    expect((await use()).blobs).toEqual({ bytes: 12, files: 2 });
    expect(await blobs.sweep()).toBe(1);
    expect((await use()).blobs).toEqual({ bytes: 6, files: 1 });
  });

  it('leaves a blob that is being written out of what has to be measured', async () => {
    await store.database.run(expectBlob, { accountId: 'a1', blobId: 'b1', graceMs: 60_000 });
    expect(await store.database.run(findUnmeasuredBlobs, { limit: 10 })).toEqual([]);
    await store.query('UPDATE blobs SET sweep_at = NULL');
    expect(await store.database.run(findUnmeasuredBlobs, { limit: 10 })).toEqual([{ accountId: 'a1', blobId: 'b1' }]);
  });

  it('is read together with the part of one workspace', async () => {
    const none = { bytes: 0, files: 0 };
    const read = () => store.database.run(readWorkspaceUse, { accountId: 'a1', taskId: 't1' });
    expect(await read()).toMatchObject({ workspace: none, account: { blobs: none, workspaces: none } });
    const small = { bytes: 2, files: 1 };
    await store.database.run(recordWorkspaceUse, { accountId: 'a1', taskId: 't1', ...small });
    await store.database.run(recordWorkspaceUse, { accountId: 'a1', taskId: 't2', ...small });
    expect(await read()).toMatchObject({ workspace: small, account: { blobs: none, workspaces: { bytes: 4, files: 2 } } });
  });
});
