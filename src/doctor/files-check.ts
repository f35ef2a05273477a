import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { statfs } from 'node:fs/promises';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import type { Config } from '../config/config.ts';
import { openBlobStore } from '../app/open-content.ts';

export interface FilesCheck {
  /** Where files are kept. */
  place: string;
  /** Free bytes; null where nobody can tell. */
  freeBytes: number | null;
  /** Why files cannot be kept there; null when they can. */
  problem: string | null;
}

const checkPrefix = 'doctor';

/** Tries the place where files are kept: a bucket by writing, reading and removing a small object, a disk by its free space. */
export async function tryFiles(config: Config, folder: string, clock: Clock): Promise<FilesCheck> {
  const { blobs } = config;
  if (blobs.kind === 'disk') {
    const { bavail, bsize } = await statfs(folder);
    return { place: config.dataDir, freeBytes: bavail * bsize, problem: null };
  }
  const place = `the bucket ${blobs.bucket} at ${blobs.endpoint}`;
  try {
    const blobStore = await openBlobStore(config, checkPrefix);
    const [accountId, blobId] = [newId(clock.now()), newId(clock.now())];
    await blobStore.put(accountId, blobId, Readable.from([Buffer.from('errand')]), 100);
    const back = await text(await blobStore.open(accountId, blobId));
    await blobStore.remove(accountId, blobId);
    return { place, freeBytes: null, problem: back === 'errand' ? null : 'what was written came back changed' };
  } catch (error) {
    const { message, cause } = error as Error;
    return { place, freeBytes: null, problem: cause instanceof Error ? cause.message : message };
  }
}
