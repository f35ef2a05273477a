import { chmodSync, closeSync, constants, type Dir, lstatSync, openSync, opendirSync, readdirSync, statSync } from 'node:fs';
import { systemErrorCode } from '../workspace/file-fault.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** Linux's O_PATH: a descriptor that needs no permission on its target. */
const O_PATH = 0o10000000;

/** Also limits how many descriptors a walk holds at once. Deeper folders cannot be measured. */
const maxDepth = 250;
const blockBytes = 512;

export interface DiskUse {
  bytes: number;
  entries: number;
}

interface Tally extends DiskUse {
  /** Hard-linked files, which count once. */
  seen: Set<number>;
  entryLimit: number;
}

function readSafely<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch (error) {
    // Deleted meanwhile, so it takes no space.
    if (systemErrorCode(error) !== undefined) return otherwise;
    throw error;
  }
}

/** Unlocks a folder that its owner locked: nothing may hide in it. Null if it is gone or no longer a folder. */
function openFolder(path: Buffer): number | null {
  const open = (flags: number) => readSafely(() => openSync(path, flags | O_DIRECTORY | O_NOFOLLOW), null);
  const folder = open(O_RDONLY);
  if (folder !== null) return folder;
  const handle = open(O_PATH);
  if (handle === null) return null;
  readSafely(() => chmodSync(`/proc/self/fd/${handle}`, 0o700), undefined);
  closeSync(handle);
  return open(O_RDONLY);
}

function count(tally: Tally, found: { ino: number; nlink: number; blocks: number; isDirectory(): boolean }): void {
  tally.entries++;
  if (found.nlink > 1 && !found.isDirectory()) {
    if (tally.seen.has(found.ino)) return;
    tally.seen.add(found.ino);
  }
  tally.bytes += found.blocks * blockBytes;
}

function walk(folder: number, depth: number, tally: Tally): void {
  const base = `/proc/self/fd/${folder}`;
  // Node's types know the `buffer` encoding of readdir only.
  const entries = readSafely<Dir | null>(() => opendirSync(base, { encoding: 'buffer' as 'utf8' }), null);
  if (!entries) return;
  try {
    for (let entry = entries.readSync(); entry && tally.entries <= tally.entryLimit; entry = entries.readSync()) {
      const path = Buffer.concat([Buffer.from(`${base}/`), entry.name as unknown as Buffer]);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (!found) continue;
      count(tally, found);
      if (found.isDirectory()) enter(path, depth, tally);
    }
  } finally {
    entries.closeSync();
  }
}

function enter(path: Buffer, depth: number, tally: Tally): void {
  const inner = openFolder(path);
  if (inner === null) return;
  try {
    if (depth >= maxDepth) tally.bytes = Number.POSITIVE_INFINITY;
    else walk(inner, depth + 1, tally);
  } finally {
    closeSync(inner);
  }
}

/**
 * The contents of an open folder, which a hostile program may be changing meanwhile: links are not followed, one
 * descriptor leads to the next. Stops counting past `entryLimit`.
 */
export function measureFolder(folder: number, entryLimit: number): DiskUse {
  const tally: Tally = { bytes: 0, entries: 0, seen: new Set(), entryLimit };
  walk(folder, 1, tally);
  return { bytes: tally.bytes, entries: tally.entries };
}

/** The space of deleted files on the device `dev` that are still open in processes, given by their /proc folders. */
export function measureUnlinked(processes: readonly string[], dev: number): number {
  const seen = new Set<number>();
  let bytes = 0;
  for (const process of processes) {
    const folder = `${process}/fd`;
    for (const name of readSafely(() => readdirSync(folder), [])) {
      const found = readSafely(() => statSync(`${folder}/${name}`), null);
      if (!found?.isFile() || found.nlink > 0 || found.dev !== dev || seen.has(found.ino)) continue;
      seen.add(found.ino);
      bytes += found.blocks * blockBytes;
    }
  }
  return bytes;
}
