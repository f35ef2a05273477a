import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { FileMatches, SearchQuery } from './line-search.ts';
import { type Entrant, FairGate } from '@errand/base/load/fair-gate.ts';
import type { SearchQuestion } from './search-worker.ts';

/** Time limit of one search over all its files. */
const searchDeadlineMs = 5_000;
/** Maximum concurrent searches; each can use a whole core, which the machine also needs for other work. */
const maxThreads = 2;

/** Requests to the search thread. */
export interface SearchThread {
  filterPaths(paths: readonly string[], glob: string): Promise<string[]>;
  /** Null for a file that is not text. */
  searchFile(content: Buffer, limit: number): Promise<FileMatches | null>;
}

// The file's own extension: the published package is JavaScript.
const workerFile = new URL(`./search-worker${extname(import.meta.url)}`, import.meta.url);

function tooSlow(): Fault {
  const seconds = searchDeadlineMs / 1000;
  const remedy = 'Name a folder or a glob, or make the pattern simpler (no repetition inside a repetition).';
  return new Fault('unavailable', `The search was ended after ${seconds} seconds. ${remedy}`);
}

/** Why a thread failed: excessive memory has a remedy; everything else is reported unchanged. */
function explainWorkerError(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? new Fault('unavailable', 'The search took too much memory. Make the pattern or the glob simpler.') : error;
}

function startWorker(query: SearchQuery): Worker {
  return new Worker(workerFile, { workerData: query, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 256 } });
}

/**
 * Provides threads for searching. A model writes the patterns, and both a regular expression and a glob can take practically forever on a
 * short line while blocking their thread. JavaScript's engine has no linear mode, and an engine that has one would still block this process
 * on large files; a thread can be terminated in mid-match.
 */
export function createSearchThreads(clock: Clock) {
  const slots = new FairGate({ capacity: maxThreads });

  /** Runs `work` with its own thread, terminated afterward; rejects as soon as the deadline passes or `signal` aborts. */
  return async function withSearchThread<T>(query: SearchQuery, searcher: Entrant, work: (thread: SearchThread) => Promise<T>) {
    return slots.run(searcher, () => runThread(clock, query, searcher.signal, work));
  };
}

async function runThread<T>(
  clock: Clock,
  query: SearchQuery,
  signal: AbortSignal,
  work: (thread: SearchThread) => Promise<T>,
): Promise<T> {
  const worker = startWorker(query);
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  // Handled by the race only; must not be reported as unhandled.
  ended.catch(() => undefined);
  const abort = () => end(signal.reason);
  const timer = clock.setTimer(() => end(tooSlow()), searchDeadlineMs);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('error', (error) => end(explainWorkerError(error)));
  function ask<Answer>(question: SearchQuestion, transfer: ArrayBuffer[] = []): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => worker.once('message', resolve));
    worker.postMessage(question, transfer);
    return Promise.race([answered, ended]);
  }
  try {
    await ask({ isReady: true });
    return await Promise.race([
      work({
        filterPaths: (paths, glob) => ask({ paths, glob }),
        searchFile(content, limit) {
          // A copy, because small buffers share memory that cannot be transferred.
          const bytes = new Uint8Array(content);
          return ask({ bytes, limit }, [bytes.buffer]);
        },
      }),
      ended,
    ]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
