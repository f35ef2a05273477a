import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { syncFolder } from './durable-files.ts';
import { isId } from '@errand/base/ids.ts';
import { Measuring } from './measuring.ts';
import { BlobMissing, type ByteRange, type Measure, type BlobStore } from './blob-store.ts';

const fullCodes = new Set(['ENOSPC', 'EDQUOT']);
const retryAfterS = 10;

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? '';
}

/** A disk error as callers see it: they can retry, and it is not their fault. Other errors are not the disk's. */
function diskFault(error: unknown): unknown {
  if (fullCodes.has(codeOf(error))) {
    return new Fault('unavailable', 'The file storage is full.', { retryAfterS, cause: error });
  }
  const isOfSystem = error instanceof Error && 'syscall' in error && 'errno' in error;
  return isOfSystem ? new Fault('unavailable', 'The file storage does not respond.', { retryAfterS, cause: error }) : error;
}

/** Runs an operation on the disk. */
async function onDisk<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    throw diskFault(error);
  }
}

/** Ids come from the store; anything else is a bug and must not become a path. */
function checkIds(...ids: string[]): void {
  if (ids.every(isId)) return;
  throw new Fault('internal', 'The file cannot be opened.', { detail: `unsafe blob key ${JSON.stringify(ids)}` });
}

const mostKnownFolders = 20_000;
/** Half of them for one account at most. */
const writesAtOnce = 4;
/** A write that has its turn is over soon; it is not worth a way to give up the wait. */
const neverAborted = new AbortController().signal;

/** Blobs as files: `<folder>/<account>/<last two characters>/<blob>`, written to a temporary file next to it first. */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #known = new Set<string>();
  readonly #writes: FairGate;

  /** `writes` divides the disk between accounts: many large files of one would keep the files and commits of others waiting. */
  constructor(folder: string, writes = new FairGate({ capacity: writesAtOnce })) {
    this.#folder = resolve(folder);
    this.#writes = writes;
  }

  async put(accountId: string, blobId: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Measure> {
    const place = this.#placeOf(accountId, blobId);
    const draft = this.#draftOf(accountId, blobId);
    const measuring = new Measuring(maxBytes);
    try {
      await onDisk(Promise.all([this.#makeFolder(dirname(place)), this.#makeFolder(dirname(draft))]));
      await this.#write(accountId, await onDisk(open(draft, 'wx', 0o600)), measuring.pass(source));
      await onDisk(rename(draft, place));
      await onDisk(syncFolder(dirname(place)));
    } catch (error) {
      // If this fails too, the sweeper finds it by the blob's row.
      await this.remove(accountId, blobId).catch(() => undefined);
      throw error;
    }
    return measuring.measure();
  }

  async size(accountId: string, blobId: string): Promise<number | null> {
    try {
      return (await stat(this.#placeOf(accountId, blobId))).size;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw diskFault(error);
    }
  }

  async open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable> {
    try {
      const handle = await open(this.#placeOf(accountId, blobId), 'r');
      return handle.createReadStream(range);
    } catch (error) {
      throw codeOf(error) === 'ENOENT' ? new BlobMissing(blobId) : diskFault(error);
    }
  }

  async remove(accountId: string, blobId: string): Promise<void> {
    await onDisk(rm(this.#draftOf(accountId, blobId), { force: true }));
    await onDisk(rm(this.#placeOf(accountId, blobId), { force: true }));
  }

  #placeOf(accountId: string, blobId: string): string {
    checkIds(accountId, blobId);
    return join(this.#folder, accountId, blobId.slice(-2), blobId);
  }

  #draftOf(accountId: string, blobId: string): string {
    checkIds(accountId, blobId);
    return join(this.#folder, 'incoming', `${accountId}-${blobId}`);
  }

  async #write(owner: string, handle: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const entry = { owner, signal: neverAborted };
    try {
      for await (const chunk of chunks) await onDisk(this.#writes.run(entry, () => handle.writeFile(chunk)));
      await onDisk(this.#writes.run(entry, () => handle.sync()));
    } finally {
      await handle.close();
    }
  }

  /** Creates a folder and makes its entry and those of its parents durable. */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#known.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Includes one parent above ours: the first start creates two levels at once.
    const highest = dirname(dirname(this.#folder));
    for (let parent = folder; parent !== highest; ) {
      parent = dirname(parent);
      await syncFolder(parent);
    }
    if (this.#known.size >= mostKnownFolders) this.#known.clear();
    this.#known.add(folder);
  }
}
