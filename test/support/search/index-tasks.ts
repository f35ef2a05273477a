import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createBlobs } from '../../../src/store/blobs/blobs.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { hasTasksToIndex } from '../../../src/store/search/search-queue.ts';
import { SearchWorker } from '../../../src/work/search/search-worker.ts';
import { MemoryBlobStore } from '../files/memory-blob-store.ts';
import { eventually } from '../service/service-client.ts';

/** Indexes all tasks that are due, for tests without the workers of a service. */
export async function indexTasks(database: Database, blobStore = new MemoryBlobStore()): Promise<void> {
  const blobs = createBlobs({ database, blobStore, clock: systemClock });
  const worker = new SearchWorker({ database, blobs, clock: systemClock, log: silentLog, isBusy: () => false });
  await worker.start();
  try {
    await eventually('all tasks are indexed', async () => ((await database.run(hasTasksToIndex, null)) ? null : true));
  } finally {
    await worker.stop();
  }
}
