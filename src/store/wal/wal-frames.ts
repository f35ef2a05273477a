import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * The parts of a write-ahead log of SQLite that shipping needs (https://www.sqlite.org/fileformat2.html#walformat): a header, and frames of
 * one page each. A frame that ends a transaction says how many pages the database then has; others say 0.
 */
const headerBytes = 32;
const frameHeaderBytes = 24;

/** What distinguishes the log since its last restart: every frame repeats it. */
interface WalHeader {
  pageBytes: number;
  salt: string;
}

function readAt(descriptor: number, bytes: number, position: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, position));
}

function readHeader(descriptor: number): WalHeader | null {
  const header = readAt(descriptor, headerBytes, 0);
  if (header.length < headerBytes) return null;
  const pageBytes = header.readUInt32BE(8);
  return { pageBytes: pageBytes === 1 ? 65_536 : pageBytes, salt: header.toString('hex', 16, 24) };
}

/** What was committed of a log after a position; `salt` is that of the log, and `isRestarted` says that it began anew. */
export interface CommittedBytes {
  salt: string;
  isRestarted: boolean;
  /** Exclusive; the same as `from` if nothing was committed since. */
  end: number;
  from: number;
}

/**
 * Finds what is committed beyond `from` in the log that had `salt`. Frames behind the last commit are of transactions that were rolled
 * back, or of before a restart. Call it only while nobody writes.
 */
export function findCommitted(descriptor: number, from: number, salt: string | null): CommittedBytes | null {
  const header = readHeader(descriptor);
  if (!header) return null;
  const isRestarted = salt !== header.salt;
  const start = isRestarted ? 0 : from;
  let end = start;
  const frameBytes = frameHeaderBytes + header.pageBytes;
  const { size } = fstatSync(descriptor);
  for (let at = Math.max(start, headerBytes); at + frameBytes <= size; at += frameBytes) {
    const frame = readAt(descriptor, frameHeaderBytes, at);
    if (frame.toString('hex', 8, 16) !== header.salt) break;
    if (frame.readUInt32BE(4) > 0) end = at + frameBytes;
  }
  return { salt: header.salt, isRestarted, end, from: start };
}

/** Opens the log of a database; null if there is none. */
export function openWal(file: string): { descriptor: number; close(): void } | null {
  try {
    const descriptor = openSync(`${file}-wal`, 'r');
    return { descriptor, close: () => closeSync(descriptor) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
