import type { Readable } from 'node:stream';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { Measuring } from './measuring.ts';
import { BlobMissing, type ByteRange, type Measure, type BlobStore } from './blob-store.ts';
import { type S3Bucket, S3Objects } from './s3-objects.ts';

export interface S3Place extends S3Bucket {
  /** Prefix of every key, without a trailing slash. */
  prefix: string;
}

/** Blobs as objects of a bucket: `<prefix>/<account>/<blob>`. */
export class S3BlobStore implements BlobStore {
  readonly #prefix: string;
  readonly #objects: S3Objects;

  constructor({ prefix, ...bucket }: S3Place) {
    this.#prefix = prefix;
    this.#objects = new S3Objects(bucket);
  }

  async put(accountId: string, blobId: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Measure> {
    const measuring = new Measuring(maxBytes);
    await this.#objects.put(this.#keyOf(accountId, blobId), measuring.pass(source));
    return measuring.measure();
  }

  async size(accountId: string, blobId: string): Promise<number | null> {
    return this.#objects.size(this.#keyOf(accountId, blobId));
  }

  async open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable> {
    const content = await this.#objects.open(this.#keyOf(accountId, blobId), range);
    if (content === null) throw new BlobMissing(blobId);
    return content;
  }

  async remove(accountId: string, blobId: string): Promise<void> {
    await this.#objects.remove(this.#keyOf(accountId, blobId));
  }

  #keyOf(accountId: string, blobId: string): string {
    if (isId(accountId) && isId(blobId)) return `${this.#prefix}/${accountId}/${blobId}`;
    const detail = `unsafe blob key ${JSON.stringify([accountId, blobId])}`;
    throw new Fault('internal', 'The file cannot be opened.', { detail });
  }
}
