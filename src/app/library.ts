import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Service } from '../base/service.ts';
import { createMakers } from '../makers/maker-threads.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import type { Database } from '../store/db/database.ts';
import { LibraryWorker } from '../work/library-worker.ts';

export interface LibraryParts {
  database: Database;
  blobs: Blobs;
  clock: Clock;
  log: Log;
}

/** What publishes sites and makes covers. Pictures are opened in a thread, which exists only while there are some. */
export function buildLibrary(parts: LibraryParts): Service {
  const makers = createMakers(parts.clock);
  return new LibraryWorker({
    ...parts,
    async makeCover(picture, signal) {
      const { files } = await makers.make(
        'cover',
        { path: 'picture' },
        { owner: 'library', readFile: () => Promise.resolve(picture), signal },
      );
      const [cover] = files;
      if (!cover) throw new Error('nothing was made');
      return cover.bytes;
    },
  });
}
