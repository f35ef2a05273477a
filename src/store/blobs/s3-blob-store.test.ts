import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { S3mini } from 's3mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeBlobStore, inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { isSwiftInstalled, SwiftServer } from '../../../test/support/files/swift.ts';
import { newId } from '@errand/base/ids.ts';
import { type S3Place, S3BlobStore } from './s3-blob-store.ts';

const megabyte = 1024 * 1024;

/** Yields `count` megabytes, optionally followed by an error. */
async function* megabytes(count: number, end: Error | null = null): AsyncGenerator<Uint8Array> {
  const piece = randomBytes(megabyte);
  for (let index = 0; index < count; index++) yield piece;
  if (end) throw end;
}

describe.runIf(isSwiftInstalled)("a blob store in a bucket of Debian's Swift", () => {
  let server: SwiftServer;
  let place: S3Place;
  const account = newId(1);
  beforeAll(async () => {
    server = await SwiftServer.start();
    place = await server.createBucket('contract');
  });
  afterAll(() => server.end());

  describeBlobStore(() => new S3BlobStore(place));

  it.each([8, 20])('uploads %d MB in parts without buffering them', async (count) => {
    const blobStore = new S3BlobStore(place);
    const blobId = newId(1);
    const { bytes } = await blobStore.put(account, blobId, megabytes(count), count * megabyte);
    expect([bytes, await blobStore.size(account, blobId)]).toEqual([count * megabyte, count * megabyte]);
    const across = await buffer(await blobStore.open(account, blobId, { start: 8 * megabyte - 2, end: count * megabyte - 1 }));
    expect(across).toHaveLength((count - 8) * megabyte + 2);
    await blobStore.remove(account, blobId);
  });

  it('leaves nothing of a multipart upload that is interrupted, too large, or left by a crash', async () => {
    const own = await server.createBucket('leftovers');
    const blobStore = new S3BlobStore(own);
    await expect(blobStore.put(account, newId(1), megabytes(18, new Error('cut')), 1e9)).rejects.toThrow('cut');
    await expect(blobStore.put(account, newId(1), megabytes(18), 17 * megabyte)).rejects.toThrow('more than');
    expect(await server.list('leftovers')).toEqual([]);
    const blobId = newId(1);
    const key = `instance/${account}/${blobId}`;
    const client = new S3mini({ ...own, endpoint: `${own.endpoint}/leftovers` });
    await client.uploadPart(key, await client.getMultipartUploadId(key), randomBytes(megabyte), 1);
    expect(await server.list('leftovers')).toEqual([`pending ${key}`]);
    await blobStore.remove(account, blobId);
    expect(await server.list('leftovers')).toEqual([]);
  });

  it('reports the storage as unavailable for wrong keys or no response, never a blob as missing', async () => {
    const blobId = newId(1);
    const away = { code: 'unavailable', message: 'The file storage does not respond.' };
    for (const wrong of [
      { ...place, secretAccessKey: 'wrong' },
      { ...place, endpoint: 'http://127.0.0.1:9' },
    ]) {
      const blobStore = new S3BlobStore(wrong);
      await expect(blobStore.put(account, blobId, inPieces(Buffer.from('x')), 1)).rejects.toMatchObject(away);
      await expect(blobStore.open(account, blobId)).rejects.toMatchObject(away);
      await expect(blobStore.size(account, blobId)).rejects.toMatchObject(away);
      await expect(blobStore.remove(account, blobId)).rejects.toMatchObject(away);
    }
  });
});
