import { extname } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { createJobThreads, type JobThreads } from '@errand/base/threads/job-thread.ts';
import type { BrandFileJob } from './brands/brand-file.ts';
import type { ChartJob } from './charts/chart-generator.ts';
import type { DiagramJob } from './charts/diagram-generator.ts';
import type { DocumentJob } from './content/document-source.ts';
import type { EditJob } from './pictures/picture-edit-spec.ts';
import type { SheetJob } from './spreadsheets/workbook-spec.ts';
import type { CoverJob } from './covers/cover-drawing.ts';
import type { SharePictureJob } from './covers/share-picture.ts';
import type { ViewJob } from './pictures/picture-preview.ts';
import type { OfficeJob } from './office-edit/edit-spec.ts';
import type { PageDeckJob } from './page-decks/page-deck-generator.ts';
import type { TableJob } from './rows/table-file.ts';
import type { WordJob } from './word-pages/word-document.ts';
import type { DeckJob } from './slides/deck-generator.ts';
import type { GeneratorOutcome, ReadFile, ReportProgress } from './generator-outcome.ts';

export type { CoverForm } from './covers/cover-drawing.ts';
export type { GeneratorOutcome, MadeFile } from './generator-outcome.ts';

/** The generators and their inputs. */
export interface GeneratorJobs {
  chart: ChartJob;
  diagram: DiagramJob;
  document: DocumentJob;
  word: WordJob;
  deck: DeckJob;
  pageDeck: PageDeckJob;
  sheets: SheetJob;
  table: TableJob;
  picture: EditJob;
  cover: CoverJob;
  sharePicture: SharePictureJob;
  view: ViewJob;
  office: OfficeJob;
  brandFile: BrandFileJob;
}

export interface GeneratorCall {
  /** The owner of the work, so that waiting owners take turns. */
  owner: string;
  readFile: ReadFile;
  signal: AbortSignal;
  report?: ReportProgress;
}

export interface Generators {
  /** Generates files in a separate thread. Rejects with a Fault that tells the model what to fix. */
  make<Kind extends keyof GeneratorJobs>(kind: Kind, job: GeneratorJobs[Kind], call: GeneratorCall): Promise<GeneratorOutcome>;
}

// The file's own extension: the published package is JavaScript.
const file = new URL(`./generator-worker${extname(import.meta.url)}`, import.meta.url);

/** Legitimate work takes a few seconds; a hostile text must not block others for long. */
const deadlineMs = 30_000;

/** The generators of a worker process. Threads and their libraries exist only while there is work. */
export function createGenerators(
  clock: Clock,
  threads: JobThreads = createJobThreads({ file, clock, subject: 'this', deadlineMs }),
): Generators {
  return {
    async make(kind, job, { owner, readFile, signal, report }) {
      const answer = async (question: string, about: unknown) =>
        question === 'report' ? report?.(String(about)) : readFile(String(about));
      return (await threads.run(kind, job, { owner, signal, answer })) as GeneratorOutcome;
    },
  };
}
