import { Fault } from '@errand/base/fault.ts';
import { chooseContentType, uploadLimits } from '../../rules/files/upload-policy.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { BlobTooLarge } from '../../store/blobs/blob-store.ts';
import type { Database } from '../../store/db/database.ts';
import { completeUpload, prepareUpload, quotaExceeded } from '../../store/files/files.ts';

export interface IncomingFile {
  source: AsyncIterable<Uint8Array>;
  /** Size announced by the sender; null if unknown. */
  bytes: number | null;
  contentType: string | undefined;
}

export interface UploadsParts {
  database: Database;
  blobs: Blobs;
  now(): number;
}

/** Receives uploads. */
export interface Uploads {
  /**
   * Resolves when the file is stored under its id. Rejects with 404 for a file that was deleted meanwhile, 413 and 429 for one that is too
   * large; after a failure nothing is stored and the URL can be used again.
   */
  receive(accountId: string, fileId: string, file: IncomingFile): Promise<void>;
}

function tooLarge(): Fault {
  const megabytes = uploadLimits.fileBytes / 1024 ** 2;
  return new Fault('payload_too_large', `A file may have at most ${megabytes} MB.`);
}

/** Counts the bytes of an account's running uploads, so that concurrent ones cannot exceed its limit together. */
class Arrivals {
  readonly #bytes = new Map<string, number>();

  on(accountId: string): number {
    return this.#bytes.get(accountId) ?? 0;
  }

  add(accountId: string, bytes: number): void {
    const sum = this.on(accountId) + bytes;
    if (sum === 0) this.#bytes.delete(accountId);
    else this.#bytes.set(accountId, sum);
  }

  /** Bytes that pass through count until the consumer is done. */
  async *track(accountId: string, source: AsyncIterable<Uint8Array>, bytesLeft: number): AsyncGenerator<Uint8Array> {
    let own = 0;
    try {
      for await (const chunk of source) {
        own += chunk.byteLength;
        this.add(accountId, chunk.byteLength);
        if (this.on(accountId) > bytesLeft) throw quotaExceeded();
        yield chunk;
      }
    } finally {
      this.add(accountId, -own);
    }
  }
}

export function createUploads({ database, blobs, now }: UploadsParts): Uploads {
  const arrivals = new Arrivals();
  return {
    async receive(accountId, fileId, { source, bytes, contentType }) {
      const { file, bytesLeft } = await database.run(prepareUpload, { accountId, fileId, now: now() });
      if (bytes !== null && bytes > uploadLimits.fileBytes) throw tooLarge();
      if ((bytes ?? 0) + arrivals.on(accountId) > bytesLeft) throw quotaExceeded();
      try {
        const arriving = arrivals.track(accountId, source, bytesLeft);
        const stored = await blobs.put(accountId, arriving, { maxBytes: uploadLimits.fileBytes });
        const args = { blobId: stored.blobId, bytes: stored.bytes, contentType: chooseContentType(file.filename, contentType) };
        await database.run(completeUpload, { accountId, fileId, ...args, now: now() });
      } catch (error) {
        throw error instanceof BlobTooLarge ? tooLarge() : error;
      }
    },
  };
}
