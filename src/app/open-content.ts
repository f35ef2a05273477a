import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Config } from '../config/config.ts';
import { type Blobs, createBlobs } from '../store/blobs/blobs.ts';
import type { BlobStore } from '../store/blobs/blob-store.ts';
import { DiskBlobStore } from '../store/blobs/disk-blob-store.ts';
import { openContentKey } from '../store/instance/content-key.ts';
import type { Database } from '../store/db/database.ts';

export interface ContentParts {
  config: Config;
  database: Database;
  instanceId: string;
  /** Null where the secret of the other processes is missing. */
  box: SealedBox | null;
  clock: Clock;
  log: Log;
}

export interface Content {
  blobs: Blobs;
  /** The store of bytes, without the records about them. */
  blobStore: BlobStore;
  /** Null where this process cannot sign addresses. */
  contentKey: Uint8Array | null;
}

/** The instance's part of a folder or bucket that may have other content, too. */
export async function openBlobStore({ blobs, dataDir, secrets }: Config, instanceId: string): Promise<BlobStore> {
  if (blobs.kind === 'disk') return new DiskBlobStore(join(dataDir, 'blobs', instanceId));
  // Loaded only where it is used.
  const { S3BlobStore } = await import('../store/blobs/s3-blob-store.ts');
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = secrets;
  if (accessKeyId === null || secretAccessKey === null) throw new StartFault('ERRAND_BLOBS: needs the keys of the bucket');
  return new S3BlobStore({ ...blobs, accessKeyId, secretAccessKey, prefix: instanceId });
}

/** Opens the store of files, and the key that signs their URLs. */
export async function openContent({ config, database, instanceId, box, clock, log }: ContentParts): Promise<Content> {
  const blobStore = await openBlobStore(config, instanceId);
  if (!box) log.error('this process cannot sign addresses of files: set ERRAND_SECRET to the same text for all processes');
  return {
    blobStore,
    blobs: createBlobs({ database, blobStore, clock, limit: config.storage.account }),
    contentKey: box && (await openContentKey(database, box)),
  };
}
