import type { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { addUse, isAbove, limitOf, type StorageUse, storageFull, usualStorageLimits } from '../../rules/files/storage-quota.ts';
import {
  type BlobKey,
  expectBlob,
  deleteBlobRecords,
  findUnmeasuredBlobs,
  deleteUnusedBlob,
  isBlobNeeded,
  takeUnneededBlobs,
} from './blob-references.ts';
import { readStorageUse, recordBlob } from './storage-use.ts';
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
  /** Stored and counted even if the account's storage is full: made by the service from files that are already counted. */
  isCopy?: boolean;
}

/**
 * Bytes that are too large for the database. The order is always: the row that announces a blob, the bytes, the write that references it
 * (`addBlobReferences`, in the transaction that first names it). So what a reader can see is complete and durable, and what a crash leaves
 * behind is recorded and swept.
 */
export interface Blobs {
  /**
   * Stores the bytes of the source and resolves when they are durable. Nothing references the blob yet: add a reference within six hours.
   * Rejects with `BlobTooLarge` beyond `maxBytes`, with what the source throws, with a Fault `resource_exhausted` if the account has no
   * room for it, or with a Fault `unavailable`; then nothing is stored.
   */
  put(accountId: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>;
  /** Size in bytes, null if the blob does not exist. */
  size(accountId: string, blobId: string): Promise<number | null>;
  /** The bytes, or a range of them. Rejects with `BlobMissing`. */
  open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable>;
  /** Whether it may still be read: not after its last reference was dropped, even while its bytes exist. */
  isNeeded(accountId: string, blobId: string): Promise<boolean>;
  /** Lets a blob be swept that was stored in vain; does nothing if it is referenced by now. */
  deleteUnused(accountId: string, blobId: string): Promise<void>;
  /** Deletes a batch of unreferenced blobs; returns their number. */
  sweep(): Promise<number>;
  /** Counts a batch of blobs that an earlier release stored; returns their number. */
  measure(): Promise<number>;
}

export interface BlobsParts {
  database: Database;
  blobStore: BlobStore;
  clock: Clock;
  /** The limit of the storage of accounts without quotas of their own. */
  limit?: StorageUse;
}

/** Bytes of blobs that are being stored, so that concurrent ones cannot exceed the limit of their account together. */
class ArrivingBlobs {
  readonly #uses = new Map<string, StorageUse>();

  /** Passes the bytes on as long as all bytes being stored by the account stay within its limit. */
  async *pass(accountId: string, source: AsyncIterable<Uint8Array>, stored: StorageUse, limit: StorageUse) {
    const use = this.#uses.get(accountId) ?? { bytes: 0, files: 0 };
    this.#uses.set(accountId, use);
    use.files++;
    let own = 0;
    try {
      for await (const piece of source) {
        own += piece.byteLength;
        use.bytes += piece.byteLength;
        if (isAbove({ bytes: stored.bytes + use.bytes, files: stored.files + use.files }, limit)) throw storageFull(limit);
        yield piece;
      }
    } finally {
      use.files--;
      use.bytes -= own;
      if (use.files === 0) this.#uses.delete(accountId);
    }
  }
}

/** Deletes the bytes of these concurrently; those that fail remain announced for a later sweep. */
async function removeAll(blobStore: BlobStore, blobs: readonly BlobKey[]): Promise<{ removed: BlobKey[]; failure: unknown }> {
  const settled = await Promise.allSettled(blobs.map(({ accountId, blobId }) => blobStore.remove(accountId, blobId)));
  const failed = settled.find((result) => result.status === 'rejected');
  return { removed: blobs.filter((_, index) => settled[index]?.status === 'fulfilled'), failure: failed?.reason };
}

export function createBlobs({ database, blobStore, clock, limit = usualStorageLimits.account }: BlobsParts): Blobs {
  const arriving = new ArrivingBlobs();
  const bound = async (accountId: string, source: AsyncIterable<Uint8Array>) => {
    const { blobs, workspaces, quotas } = await database.run(readStorageUse, { accountId });
    const stored = addUse(blobs, workspaces);
    const own = limitOf(limit, quotas);
    if (isAbove(addUse(stored, { bytes: 0, files: 1 }), own)) throw storageFull(own);
    return arriving.pass(accountId, source, stored, own);
  };
  return {
    async put(accountId, source, { maxBytes, isCopy = false }) {
      const content = isCopy ? source : await bound(accountId, source);
      const blobId = newId(clock.now(), 'place');
      await database.run(expectBlob, { accountId, blobId, graceMs });
      const stored = await blobStore.put(accountId, blobId, content, maxBytes);
      const isStored = await database.run(recordBlob, { accountId, blobId, bytes: stored.bytes, limit: isCopy ? null : limit });
      if (!isStored) throw storageFull(limitOf(limit, (await database.run(readStorageUse, { accountId })).quotas));
      return { blobId, ...stored };
    },

    size: (accountId, blobId) => blobStore.size(accountId, blobId),
    open: (accountId, blobId, range) => blobStore.open(accountId, blobId, range),
    isNeeded: (accountId, blobId) => database.run(isBlobNeeded, { accountId, blobId }),

    deleteUnused: (accountId, blobId) => database.run(deleteUnusedBlob, { accountId, blobId }),

    async sweep() {
      const unneeded = await database.run(takeUnneededBlobs, { limit: chunk });
      const { removed, failure } = await removeAll(blobStore, unneeded);
      await database.run(deleteBlobRecords, { blobs: removed });
      if (failure !== undefined) throw new Error('a blob could not be removed', { cause: failure });
      return removed.length;
    },

    async measure() {
      const unmeasured = await database.run(findUnmeasuredBlobs, { limit: chunk });
      for (const { accountId, blobId } of unmeasured) {
        const bytes = (await blobStore.size(accountId, blobId)) ?? 0;
        await database.run(recordBlob, { accountId, blobId, bytes, limit: null });
      }
      return unmeasured.length;
    },
  };
}
