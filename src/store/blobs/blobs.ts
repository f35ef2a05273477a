import type { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { type BlobKey, expectBlob, deleteBlobRecords, isBlobNeeded, takeUnneededBlobs } from './blob-references.ts';
import type { Database } from '../db/database.ts';
import type { ByteRange, Measure, BlobStore } from './blob-store.ts';

/** How long a blob may be written, and stay without anybody who keeps it, before it is swept. */
const graceMs = 6 * 60 * 60 * 1000;
const chunk = 64;

export interface StoredBlob extends Measure {
  blobId: string;
}

export interface PutOptions {
  maxBytes: number;
}

/**
 * Bytes that are too large for the database. The order is always: the row that announces a blob, the bytes, the write that keeps
 * it (`addBlobReferences`, in the transaction that first names it). So what a reader can see is complete and on the disk, and what a crash
 * left behind is known and goes with a sweep.
 */
export interface Blobs {
  /**
   * Stores what the source gives and resolves when it is durable. Nobody needs it yet: keep it within six hours. Rejects with
   * `BlobTooLarge` past `maxBytes`, with what the source throws, or with a Fault `unavailable`; nothing stays then.
   */
  put(accountId: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>;
  /** Bytes, null where there is no such blob. */
  size(accountId: string, blobId: string): Promise<number | null>;
  /** The bytes, or the range of them. Rejects with `BlobMissing`. */
  open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable>;
  /** Whether it may still be read: not when everybody who needed it has released it, even while its bytes are there. */
  isNeeded(accountId: string, blobId: string): Promise<boolean>;
  /** Removes blobs that nobody needs, some of them; how many. */
  sweep(): Promise<number>;
}

export interface BlobsParts {
  database: Database;
  blobStore: BlobStore;
  clock: Clock;
}

/** Removes the bytes of these side by side; those that cannot be removed now stay announced for a later sweep. */
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
