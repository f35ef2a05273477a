import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { BlobMissing, BlobTooLarge, type BlobStore } from '../../../src/store/blobs/blob-store.ts';

/** The chunks of a source. */
export async function* inPieces(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function* brokenAfter(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
  throw new Error('the sender hung up');
}

/** What every blob store guarantees. */
export function describeBlobStore(open: () => BlobStore): void {
  const account = newId(Date.now());
  const key = (): [string, string] => [account, newId(Date.now())];

  it('gives back what was put, whole or in part, with its size and hash', async () => {
    const blobStore = open();
    const blob = key();
    const bytes = randomBytes(300_000);
    const measure = await blobStore.put(...blob, inPieces(bytes.subarray(0, 7), bytes.subarray(7)), bytes.length);
    expect(measure).toEqual({ bytes: 300_000, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(await blobStore.size(...blob)).toBe(300_000);
    expect((await buffer(await blobStore.open(...blob))).equals(bytes)).toBe(true);
    const part = await buffer(await blobStore.open(...blob, { start: 5, end: 250_000 }));
    expect(part.equals(bytes.subarray(5, 250_001))).toBe(true);
  });

  it('keeps nothing of what was too large or cut, and empty blobs as they are', async () => {
    const blobStore = open();
    const [large, cut, empty] = [key(), key(), key()];
    await expect(blobStore.put(...large, inPieces(randomBytes(10), randomBytes(11)), 20)).rejects.toThrow(BlobTooLarge);
    await expect(blobStore.put(...cut, brokenAfter(randomBytes(10)), 20)).rejects.toThrow('the sender hung up');
    expect([await blobStore.size(...large), await blobStore.size(...cut)]).toEqual([null, null]);
    expect(await blobStore.put(...empty, inPieces(), 20)).toMatchObject({ bytes: 0 });
    expect(await buffer(await blobStore.open(...empty))).toHaveLength(0);
  });

  it("removes permanently and idempotently, and never another account's blob", async () => {
    const blobStore = open();
    const [accountId, blobId] = key();
    await blobStore.put(accountId, blobId, inPieces(randomBytes(3)), 3);
    const foreign = newId(Date.now());
    await expect(blobStore.open(foreign, blobId)).rejects.toThrow(BlobMissing);
    await blobStore.remove(foreign, blobId);
    expect(await blobStore.size(accountId, blobId)).toBe(3);
    await blobStore.remove(accountId, blobId);
    await blobStore.remove(accountId, blobId);
    expect(await blobStore.size(accountId, blobId)).toBeNull();
    await expect(blobStore.open(accountId, blobId)).rejects.toThrow(BlobMissing);
  });

  it.each(['../secret', '', 'a/b', 'x'.repeat(23)])('makes no path of %j', async (wrong) => {
    await expect(open().put(account, wrong, inPieces(), 1)).rejects.toMatchObject({ code: 'internal' });
    await expect(open().open(wrong, newId(1))).rejects.toMatchObject({ code: 'internal' });
  });
}
