import type { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { type BlobKey, expectBlob, deleteBlobRecords, isBlobNeeded, takeUnneededBlobs } from './blob-references.ts';
import type { Database } from '../db/database.ts';
import type { ByteRange, Measure, BlobStore } from './blob-store.ts';

/** How long a blob may take to write, and exist without a reference, before it is swept. */
const graceMs = 6 * 60 * 60 * 1000;
const chunk = 64;

export interface StoredBlob extends Measure {
  blobId: string;
}

export interface PutOptions {
  maxBytes: number;
}

/**
 * Bytes that are too large for the database. The order is always: the row that announces a blob, the bytes, the write that references it
 * (`addBlobReferences`, in the transaction that first names it). So what a reader can see is complete and durable, and what a crash leaves
 * behind is recorded and swept.
 */
export interface Blobs {
  /**
   * Stores the bytes of the source and resolves when they are durable. Nothing references the blob yet: add a reference within six hours.
   * Rejects with `BlobTooLarge` beyond `maxBytes`, with what the source throws, or with a Fault `unavailable`; then nothing is stored.
   */
  put(accountId: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>;
  /** Size in bytes, null if the blob does not exist. */
  size(accountId: string, blobId: string): Promise<number | null>;
  /** The bytes, or a range of them. Rejects with `BlobMissing`. */
  open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable>;
  /** Whether it may still be read: not after its last reference was dropped, even while its bytes exist. */
  isNeeded(accountId: string, blobId: string): Promise<boolean>;
  /** Deletes a batch of unreferenced blobs; returns their number. */
  sweep(): Promise<number>;
}

export interface BlobsParts {
  database: Database;
  blobStore: BlobStore;
  clock: Clock;
}

/** Deletes the bytes of these concurrently; those that fail remain announced for a later sweep. */
async function removeAll(blobStore: BlobStore, blobs: readonly BlobKey[]): Promise<{ removed: BlobKey[]; failure: unknown }> {
  const settled = await Promise.allSettled(blobs.map(({ accountId, blobId }) => blobStore.remove(accountId, blobId)));
  const failed = settled.find((result) => result.status === 'rejected');
  return { removed: blobs.filter((_, index) => settled[index]?.status === 'fulfilled'), failure: failed?.reason };
}

export function createBlobs({ database, blobStore, clock }: BlobsParts): Blobs {
  return {
    async put(accountId, source, { maxBytes }) {
      const blobId = newId(clock.now());
      await database.run(expectBlob, { accountId, blobId, graceMs });
      return { blobId, ...(await blobStore.put(accountId, blobId, source, maxBytes)) };
    },

    size: (accountId, blobId) => blobStore.size(accountId, blobId),
    open: (accountId, blobId, range) => blobStore.open(accountId, blobId, range),
    isNeeded: (accountId, blobId) => database.run(isBlobNeeded, { accountId, blobId }),

    async sweep() {
      const unneeded = await database.run(takeUnneededBlobs, { limit: chunk });
      const { removed, failure } = await removeAll(blobStore, unneeded);
      await database.run(deleteBlobRecords, { blobs: removed });
      if (failure !== undefined) throw new Error('a blob could not be removed', { cause: failure });
      return removed.length;
    },
  };
}
