import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { createTasks } from '../../../test/support/db/store-samples.ts';
import { systemClock } from '@errand/base/clock.ts';
import { deleteBlobRecords, deleteUnusedBlob, takeUnneededBlobs } from './blob-references.ts';
import { createBlobs } from './blobs.ts';
import { deleteTask } from '../tasks/tasks.ts';

describeStores('a blob', (store) => {
  const open = () => {
    const blobStore = new MemoryBlobStore();
    return { blobStore, blobs: createBlobs({ database: store.database, blobStore, clock: systemClock }) };
  };
  const refer = async (blobId: string, owner: string) => {
    await store.query('UPDATE blobs SET sweep_at = NULL WHERE id = ?', blobId);
    await store.query('INSERT INTO blob_refs (account_id, blob_id, owner) VALUES (?, ?, ?)', 'a1', blobId, owner);
  };

  it('is announced before its first byte, so that a crash leaves nothing unrecorded', async () => {
    const { blobStore, blobs } = open();
    const rowsMeanwhile: unknown[] = [];
    async function* source() {
      rowsMeanwhile.push(...(await store.query('SELECT id FROM blobs')));
      yield Buffer.from('hello');
    }
    const { blobId } = await blobs.put('a1', source(), { maxBytes: 5 });
    expect(rowsMeanwhile).toEqual([{ id: blobId }]);
    expect([...blobStore.kept.keys()]).toEqual([`a1/${blobId}`]);
  });

  it('that was never referenced is swept, and no other', async () => {
    const { blobStore, blobs } = open();
    const put = async () => (await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 })).blobId;
    const [late, kept, fresh] = [await put(), await put(), await put()];
    await store.query('UPDATE blobs SET sweep_at = 1 WHERE id = ?', late);
    await refer(kept, 'task:t1');
    expect(await blobs.sweep()).toBe(1);
    expect([...blobStore.kept.keys()].toSorted()).toEqual([`a1/${kept}`, `a1/${fresh}`].toSorted());
    expect(await store.query('SELECT id FROM blobs WHERE id = ?', late)).toEqual([]);
  });

  it('that was stored in vain is swept at once, unless it is referenced', async () => {
    const { blobStore, blobs } = open();
    const put = async () => (await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 })).blobId;
    const [vain, kept] = [await put(), await put()];
    await refer(kept, 'task:t1');
    for (const blobId of [vain, kept]) await store.database.run(deleteUnusedBlob, { accountId: 'a1', blobId });
    await blobs.sweep();
    expect([...blobStore.kept.keys()]).toEqual([`a1/${kept}`]);
  });

  it('stays recorded until its bytes are deleted', async () => {
    const { blobStore, blobs } = open();
    const { blobId } = await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 });
    await store.query('UPDATE blobs SET sweep_at = 1');
    const remove = blobStore.remove.bind(blobStore);
    blobStore.remove = () => Promise.reject(new Error('EIO'));
    await expect(blobs.sweep()).rejects.toThrow('could not be removed');
    blobStore.remove = remove;
    expect(await store.query('SELECT id FROM blobs')).toEqual([{ id: blobId }]);
    expect(await blobs.sweep()).toBe(1);
    expect(blobStore.kept.size).toBe(0);
  });

  it('of a deleted task is deleted, unless it is still referenced', async () => {
    const { blobStore, blobs } = open();
    const [taskId = ''] = await createTasks(store.database, 'a1', 1);
    const put = async () => (await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 })).blobId;
    const [own, shared] = [await put(), await put()];
    for (const blobId of [own, shared]) await refer(blobId, `task:${taskId}`);
    await refer(shared, 'file:f1');
    await store.database.run(deleteTask, { accountId: 'a1', taskId });
    expect(await store.query('SELECT blob_id, owner FROM blob_refs')).toEqual([{ blob_id: shared, owner: 'file:f1' }]);
    expect(await blobs.sweep()).toBe(1);
    expect([...blobStore.kept.keys()]).toEqual([`a1/${shared}`]);
    expect(await store.query('SELECT sweep_at FROM blobs')).toEqual([{ sweep_at: null }]);
  });

  it('is claimed by one sweeper only', async () => {
    const { blobs } = open();
    for (let count = 0; count < 20; count++) await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 });
    await store.query('UPDATE blobs SET sweep_at = 1');
    const sweepers = [store.database, ...store.others].map((database) => database.run(takeUnneededBlobs, { limit: 64 }));
    const taken = (await Promise.all(sweepers)).flat().map(({ blobId }) => blobId);
    expect(new Set(taken).size).toBe(20);
  });

  it('is not deleted while a backup runs, which may copy it later', async () => {
    const { blobs } = open();
    await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 });
    await store.query('UPDATE blobs SET sweep_at = 1');
    await store.query("INSERT INTO instance (name, value) VALUES ('backup:b1', ?)", String(Date.now() + 600_000));
    expect(await blobs.sweep()).toBe(0);
    await store.query("UPDATE instance SET value = ? WHERE name = 'backup:b1'", String(Date.now() - 600_000));
    expect(await blobs.sweep()).toBe(1);
  });

  it('is only deleted from the records after it was claimed for removal', async () => {
    const { blobs } = open();
    const { blobId } = await blobs.put('a1', inPieces(Buffer.from('x')), { maxBytes: 1 });
    const list = { blobs: [{ accountId: 'a1', blobId }] };
    await store.database.run(deleteBlobRecords, list);
    expect(await store.query('SELECT id FROM blobs')).toEqual([{ id: blobId }]);
    await store.query('UPDATE blobs SET sweep_at = 1 WHERE id = ?', blobId);
    await store.database.run(takeUnneededBlobs, { limit: 5 });
    await store.database.run(deleteBlobRecords, list);
    expect(await store.query('SELECT id FROM blobs')).toEqual([]);
  });
});
