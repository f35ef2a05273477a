import { statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { openBlobStore } from '../app/open-content.ts';
import type { Config } from '../config/config.ts';
import type { Check, DoctorContext } from './check.ts';
import { findExisting } from './data-folder-check.ts';

const name = 'files';
const checkPrefix = 'doctor';
const leastFreeBytes = 1_000_000_000;

async function checkDisk({ dataDir }: Config): Promise<Check> {
  const { bavail, bsize } = await statfs(await findExisting(dataDir));
  const freeBytes = bavail * bsize;
  const found = `${(freeBytes / 1e9).toFixed(1)} GB free for ${dataDir}`;
  if (freeBytes >= leastFreeBytes) return { name, state: 'ok', found };
  const remedy = 'free some space, or set ERRAND_BLOBS to a bucket; uploads fail with 503 when the disk is full';
  return { name, state: 'missing', found, remedy };
}

/** Writes, reads and deletes a small object. */
async function tryBucket(config: Config, clock: Clock): Promise<void> {
  const blobStore = await openBlobStore(config, checkPrefix);
  const [accountId, blobId] = [newId(clock.now()), newId(clock.now())];
  await blobStore.put(accountId, blobId, Readable.from([Buffer.from('errand')]), 100);
  const back = await text(await blobStore.open(accountId, blobId));
  await blobStore.remove(accountId, blobId);
  if (back !== 'errand') throw new Error('an object was read back changed');
}

/** Whether files can be stored, on a disk or in a bucket. */
export async function checkFiles({ config, clock }: DoctorContext): Promise<Check> {
  const { blobs } = config;
  if (blobs.kind === 'disk') return checkDisk(config);
  const place = `the bucket ${blobs.bucket} at ${blobs.endpoint}`;
  try {
    await tryBucket(config, clock);
    return { name, state: 'ok', found: `${place} can be written to and read` };
  } catch (error) {
    const { message, cause } = error as Error;
    const found = `${place}: ${cleanLine(cause instanceof Error ? cause.message : message)}`;
    const remedy =
      'check ERRAND_BLOBS, ERRAND_S3_ACCESS_KEY_ID and ERRAND_S3_SECRET_ACCESS_KEY; until then, uploads fail with 503';
    return { name, state: 'failed', found, remedy };
  }
}
