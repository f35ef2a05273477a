import { Readable } from 'node:stream';
import { Measuring } from '../../../src/store/blobs/measuring.ts';
import { BlobMissing, type ByteRange, type Measure, type BlobStore } from '../../../src/store/blobs/blob-store.ts';

/** A blob store in memory, under `account/blob`. */
export class MemoryBlobStore implements BlobStore {
  readonly kept = new Map<string, Buffer>();

  async put(accountId: string, blobId: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Measure> {
    const measuring = new Measuring(maxBytes);
    const chunks: Uint8Array[] = [];
    for await (const chunk of measuring.pass(source)) chunks.push(Buffer.from(chunk));
    this.kept.set(`${accountId}/${blobId}`, Buffer.concat(chunks));
    return measuring.measure();
  }

  size(accountId: string, blobId: string): Promise<number | null> {
    return Promise.resolve(this.kept.get(`${accountId}/${blobId}`)?.byteLength ?? null);
  }

  open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable> {
    const bytes = this.kept.get(`${accountId}/${blobId}`);
    if (!bytes) return Promise.reject(new BlobMissing(blobId));
    return Promise.resolve(Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]));
  }

  remove(accountId: string, blobId: string): Promise<void> {
    this.kept.delete(`${accountId}/${blobId}`);
    return Promise.resolve();
  }
}
