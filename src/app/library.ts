import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Service } from '../base/service.ts';
import { createMakers } from '../makers/maker-threads.ts';
import { findBrowser } from '../sandbox/find-browser.ts';
import { findFfmpeg } from '../sandbox/find-ffmpeg.ts';
import { findOffice } from '../sandbox/find-office.ts';
import type { SandboxAvailability } from '../sandbox/sandbox.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import type { Database } from '../store/db/database.ts';
import { createDocumentReader } from '../tools/reading/document-reader.ts';
import { LibraryWorker } from '../work/library-worker.ts';
import type { PrintDesk } from '../work/print-desk.ts';
import { createCoverMaker } from './covers.ts';

export interface LibraryParts {
  database: Database;
  blobs: Blobs;
  prints: PrintDesk;
  availability: SandboxAvailability;
  clock: Clock;
  log: Log;
}

/** What publishes sites and makes covers. Whatever others made is opened in threads and in the sandbox, which exist only for it. */
export function buildLibrary({ database, blobs, prints, availability: { sandbox }, clock, log }: LibraryParts): Service {
  const [program, ffmpeg] = [findBrowser(), findFfmpeg()];
  const shots = sandbox && program !== null && sandbox.languages.includes('javascript') ? { sandbox, program } : null;
  const covers = createCoverMaker({
    makers: createMakers(clock),
    documents: createDocumentReader(clock),
    shots,
    media: sandbox && ffmpeg !== null ? { sandbox, program: ffmpeg } : null,
    prints: sandbox && findOffice() !== null ? prints : null,
  });
  return new LibraryWorker({ database, blobs, clock, log, covers });
}
