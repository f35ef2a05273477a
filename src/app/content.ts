import { join } from 'node:path';
import { type OpenAttachment, ShownImages } from '../agent/shown-images.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { SealedBox } from '../base/sealed-box.ts';
import type { Config } from '../config.ts';
import { type Blobs, createBlobs } from '../store/blobs/blobs.ts';
import { BlobMissing } from '../store/blobs/shelf.ts';
import { DiskShelf } from '../store/blobs/disk-shelf.ts';
import { openContentKey } from '../store/content-key.ts';
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
  /** What workers need of them. */
  attachments: { openAttachment: OpenAttachment; images: ShownImages };
  contentKey: Uint8Array | null;
}

/** Where files are kept, and the key that signs their addresses. */
export async function openContent({ config, database, instanceId, box, clock, log }: ContentParts): Promise<Content> {
  const shelf = new DiskShelf(join(config.dataDir, 'blobs', instanceId));
  if (!box) log.error('this process cannot sign addresses of files: set ERRAND_SECRET to the same text for all processes');
  const blobs = createBlobs({ database, shelf, clock });
  const openAttachment: OpenAttachment = (accountId, blobId) =>
    blobs.open(accountId, blobId).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
  const contentKey = box && (await openContentKey(database, box));
  return { blobs, contentKey, attachments: { openAttachment, images: new ShownImages(openAttachment) } };
}
