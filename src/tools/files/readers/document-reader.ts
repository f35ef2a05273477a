import { extname } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import { runReadingThread, startReaderThread } from '../reader-threads/reader-thread.ts';
import { ThreadReserve } from '../reader-threads/thread-reserve.ts';
import type { Reading, ReadingQuestion } from './document-reading.ts';

/** Extracts the text of a document. Unreadable ones are a Fault that can be shown to a model. */
export type DocumentReader = (question: ReadingQuestion, reader: Entrant) => Promise<Reading>;

/** Each may need a core and a few hundred megabytes. */
const maxThreads = 2;
const deadlineMs = 30_000;
const memoryMb = 384;

// The file's own extension: the published package is JavaScript.
const file = new URL(`./document-worker${extname(import.meta.url)}`, import.meta.url);

export function createDocumentReader(clock: Clock): DocumentReader {
  const slots = new FairGate({ capacity: maxThreads });
  const reserve = new ThreadReserve(clock, { file, memoryMb, preload: 'page' });
  return (question, reader) =>
    slots.run(reader, async () => {
      reader.signal.throwIfAborted();
      // A copy, because small buffers share memory that cannot be transferred.
      const source = question.source instanceof Uint8Array ? new Uint8Array(question.source) : question.source;
      const transfer = source instanceof Uint8Array ? [source.buffer] : [];
      const isPage = question.kind === 'page';
      const thread = isPage ? reserve.take() : startReaderThread({ file, memoryMb });
      const job = { thread, data: { ...question, source }, transfer, deadlineMs };
      const reading = await runReadingThread<Reading>(clock, job, reader.signal);
      if (isPage) reserve.refill();
      return reading;
    });
}
