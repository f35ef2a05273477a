import { Fault } from '@errand/base/fault.ts';

export interface ArchiveLimits {
  entries: number;
  /** Total unpacked size. */
  bytes: number;
  entryBytes: number;
  /** Maximum expansion ratio, applied beyond `freeBytes`. */
  ratio: number;
  freeBytes: number;
}

const mebibyte = 1024 * 1024;

export const archiveLimits: ArchiveLimits = {
  entries: 10_000,
  bytes: 1024 * mebibyte,
  entryBytes: 512 * mebibyte,
  ratio: 200,
  freeBytes: 16 * mebibyte,
};

function refuse(problem: string): never {
  throw new Fault('payload_too_large', `The archive was rejected: ${problem}. Nothing was written.`);
}

/** Counts the unpacked output of an archive; throws as soon as it exceeds what a legitimate one has. Headers are not trusted. */
export function createMeter(packedBytes: number, limits: ArchiveLimits) {
  let total = 0;
  let entries = 0;
  let inEntry = 0;
  return {
    beginEntry(): void {
      entries++;
      inEntry = 0;
      if (entries > limits.entries) refuse(`it has more than ${limits.entries} entries`);
    },
    count(bytes: number): void {
      total += bytes;
      inEntry += bytes;
      if (total > limits.bytes) refuse(`it unpacks to more than ${limits.bytes / mebibyte} MB`);
      if (inEntry > limits.entryBytes) refuse(`an entry unpacks to more than ${limits.entryBytes / mebibyte} MB`);
      if (total > limits.freeBytes && total > limits.ratio * packedBytes) {
        refuse(`it unpacks to more than ${limits.ratio} times its size`);
      }
    },
  };
}
