import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Measure {
  bytes: number;
  /** In hex. */
  sha256: string;
}

/**
 * Where the bytes of blobs lie: a folder or a bucket. A key is `account/blob`, both ids. What is put is there as a whole or not at
 * all, and outlives a power cut from the moment the promise resolves.
 */
export interface BlobStore {
  /** Rejects with `BlobTooLarge` past `maxBytes`, with whatever the source throws, or with a Fault `unavailable`. */
  put(accountId: string, blobId: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Measure>;
  /** Null where there is none. */
  size(accountId: string, blobId: string): Promise<number | null>;
  /** Rejects with `BlobMissing`. */
  open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable>;
  /** Also what an interrupted `put` left; nothing happens where there is nothing. */
  remove(accountId: string, blobId: string): Promise<void>;
}

/** More came than was allowed; nothing is kept. */
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
