import { Fault } from '@errand/base/fault.ts';
import { addUse, describeUse, isAbove, type StorageUse } from '../../rules/files/storage-quota.ts';
import { BlobTooLarge } from '../../store/blobs/blob-store.ts';
import type { Blobs, PutOptions, StoredBlob } from '../../store/blobs/blobs.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** Stores what tools give to the user of a task. */
export interface ResultStore {
  blobs: Blobs;
  /** What the results of one task may take, beside its workspace. */
  limit: StorageUse;
}

/** The results that one call stores. */
export interface CallResults {
  /** Stores the bytes of one, as `Blobs.put`; also rejects with a Fault `resource_exhausted` if the task has no room for it. */
  put(source: AsyncIterable<Uint8Array>, options: Pick<PutOptions, 'maxBytes'>): Promise<StoredBlob>;
}

function resultsFull(limit: StorageUse): Fault {
  const text = `Not stored, because the results of this task would take more than ${describeUse(limit)}. Earlier versions count too: give fewer or smaller files, or ask the user to empty this task or to continue in another one.`;
  return new Fault('resource_exhausted', text);
}

/** Begins to store results of a call, within what its task may still store. */
export function openResults({ blobs, limit }: ResultStore, { accountId, stored }: ToolContext): CallResults {
  let used = stored;
  return {
    async put(source, { maxBytes }) {
      const leftBytes = limit.bytes - used.bytes;
      if (isAbove(addUse(used, { bytes: 0, files: 1 }), limit)) throw resultsFull(limit);
      try {
        const kept = await blobs.put(accountId, source, { maxBytes: Math.min(maxBytes, leftBytes) });
        used = addUse(used, { bytes: kept.bytes, files: 1 });
        return kept;
      } catch (error) {
        throw error instanceof BlobTooLarge && leftBytes < maxBytes ? resultsFull(limit) : error;
      }
    },
  };
}
