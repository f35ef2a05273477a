import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Measure {
  bytes: number;
  /** SHA-256 of the content, in hex. */
  sha256: string;
}

/**
 * Storage for the bytes of blobs: a folder or a bucket. A key is `account/blob`, both ids. A blob is stored completely or not at all, and
 * is durable as soon as the promise resolves.
 */
export interface BlobStore {
  /** Rejects with `BlobTooLarge` beyond `maxBytes`, with whatever the source throws, or with a Fault `unavailable`. */
  put(accountId: string, blobId: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Measure>;
  /** Null if it does not exist. */
  size(accountId: string, blobId: string): Promise<number | null>;
  /** Rejects with `BlobMissing`. */
  open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable>;
  /** Deletes a blob and the remains of an interrupted `put`; does nothing if there are none. */
  remove(accountId: string, blobId: string): Promise<void>;
}

/** The source exceeded the limit; nothing is stored. */
export class BlobTooLarge extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'BlobTooLarge';
    this.maxBytes = maxBytes;
  }
}

export class BlobMissing extends Error {
  constructor(blobId: string) {
    super(`no blob ${blobId}`);
    this.name = 'BlobMissing';
  }
}
