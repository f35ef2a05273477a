import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { createGenerators } from '@errand/documents';
import { findBrowser, findFfmpeg, findOffice } from '@errand/sandbox/programs';
import type { SandboxAvailability } from '@errand/sandbox';
import type { Blobs } from '../store/blobs/blobs.ts';
import type { Database } from '../store/db/database.ts';
import { createDocumentReader } from '../tools/files/readers/document-reader.ts';
import { LibraryWorker } from '../work/artifacts/library-worker.ts';
import type { PdfConversionService } from '../work/artifacts/pdf-conversion-service.ts';
import { createCoverGenerator } from './cover-generator.ts';

export interface LibraryParts {
  database: Database;
  blobs: Blobs;
  pdfConversion: PdfConversionService;
  availability: SandboxAvailability;
  clock: Clock;
  log: Log;
}

/** Publishes sites and creates covers. Untrusted content is opened in threads and in the sandbox, which exist only for it. */
export function buildLibrary({ database, blobs, pdfConversion, availability: { sandbox }, clock, log }: LibraryParts): Service {
  const [program, ffmpeg] = [findBrowser(), findFfmpeg()];
  const shots = sandbox && program !== null && sandbox.languages.includes('javascript') ? { sandbox, program } : null;
  const covers = createCoverGenerator({
    generators: createGenerators(clock),
    documents: createDocumentReader(clock),
    shots,
    media: sandbox && ffmpeg !== null ? { sandbox, program: ffmpeg } : null,
    pdfConversion: sandbox && findOffice() !== null ? pdfConversion : null,
  });
  return new LibraryWorker({ database, blobs, clock, log, covers });
}
