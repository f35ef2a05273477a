import { chmodSync, closeSync, constants, type Dir, lstatSync, openSync, opendirSync, readdirSync, statSync } from 'node:fs';
import { systemErrorCode } from '../workspace/file-fault.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** Linux's O_PATH: a descriptor that needs no permission on its target. */
const O_PATH = 0o10000000;

/** Deeper folders cannot be measured. This also limits how many descriptors a walk holds at once. */
const maxDepth = 250;
const blockBytes = 512;
/** Files counted in one step. */
const stepEntries = 64;

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

/** A program can lock a folder repeatedly, but cannot hide files in it: a folder that stays locked exceeds any limit. */
const maxUnlocks = 8;

/** Reads in a folder that its owner may have locked; null if the target is gone, or cannot be unlocked because it is not ours. */
function readLocked<Result>(tally: DiskUse, read: () => Result, unlock: () => void): Result | null {
  for (let attempt = 0; attempt < maxUnlocks; attempt++) {
    try {
      return read();
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      if (code !== 'EACCES') return null;
    }
    if (!readSafely(() => (unlock(), true), false)) return null;
  }
  tally.bytes = Number.POSITIVE_INFINITY;
  return null;
}

/** Unlocks a folder by its path, whose last part may be replaced by a link meanwhile. */
function unlockFolder(path: Buffer): void {
  const handle = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${handle}`, 0o700);
  } finally {
    closeSync(handle);
  }
}

/** Null if it is gone or no longer a folder. */
function openFolder(path: Buffer, tally: DiskUse): number | null {
  return readLocked(
    tally,
    () => openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
    () => unlockFolder(path),
  );
}

function count(tally: Tally, found: { ino: number; nlink: number; blocks: number; isDirectory(): boolean }): void {
  tally.entries++;
  if (found.nlink > 1 && !found.isDirectory()) {
    if (tally.seen.has(found.ino)) return;
    tally.seen.add(found.ino);
  }
  tally.bytes += found.blocks * blockBytes;
}

function* walk(folder: number, depth: number, tally: Tally): Generator<void, void> {
  const base = `/proc/self/fd/${folder}`;
  // Node's types know the `buffer` encoding of readdir only.
  const unlock = () => chmodSync(base, 0o700);
  const entries = readLocked<Dir>(tally, () => opendirSync(base, { encoding: 'buffer' as 'utf8' }), unlock);
  if (!entries) return;
  try {
    const next = () => readSafely(() => entries.readSync(), null);
    for (let entry = next(); entry && tally.entries <= tally.entryLimit; entry = next()) {
      const path = Buffer.concat([Buffer.from(`${base}/`), entry.name as unknown as Buffer]);
      const look = () => lstatSync(path, { throwIfNoEntry: false });
      const found = readLocked(tally, look, unlock);
      if (!found) continue;
      count(tally, found);
      if (found.isDirectory()) yield* enter(path, depth, tally);
      if (tally.entries % stepEntries === 0) yield;
    }
  } finally {
    entries.closeSync();
  }
}

function* enter(path: Buffer, depth: number, tally: Tally): Generator<void, void> {
  const inner = openFolder(path, tally);
  if (inner === null) return;
  try {
    if (depth >= maxDepth) tally.bytes = Number.POSITIVE_INFINITY;
    else yield* walk(inner, depth + 1, tally);
  } finally {
    closeSync(inner);
  }
}

/**
 * The contents of an open folder, which a hostile program may be changing meanwhile: links are not followed, one
 * descriptor leads to the next. Stops counting past `entryLimit`. Done in steps, so that other measurements can run in between.
 */
export function* measureFolder(folder: number, entryLimit: number): Generator<void, DiskUse> {
  const tally: Tally = { bytes: 0, entries: 0, seen: new Set(), entryLimit };
  yield* walk(folder, 1, tally);
  return { bytes: tally.bytes, entries: tally.entries };
}

/** The space of deleted files on the device `dev` that are still open in processes, given by their /proc folders. */
export function* measureUnlinked(processes: readonly string[], dev: number): Generator<void, number> {
  const seen = new Set<number>();
  let bytes = 0;
  for (const process of processes) {
    yield;
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
