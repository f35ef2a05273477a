import { Worker } from 'node:worker_threads';
import type { Clock } from '@errand/base/clock.ts';
import { Fault, type FaultCode } from '@errand/base/fault.ts';

/** Messages of a reader thread: a chunk of its result, or the outcome. */
export type ThreadWord<Piece, Answer> =
  | { kind: 'piece'; piece: Piece }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'fault'; code: FaultCode; message: string };

export interface ThreadCode {
  file: URL;
  memoryMb: number;
  /** What it loads before its job is known. */
  preload?: string;
}

export interface ReadingJob<Piece> {
  thread: Worker;
  data: unknown;
  /** The parts of `data` to transfer instead of copying. */
  transfer?: ArrayBuffer[];
  deadlineMs: number;
  /** Receives each chunk; the thread continues once it has been taken. */
  takePiece?(piece: Piece): Promise<void>;
}

function tooSlow(deadlineMs: number): Fault {
  return new Fault('unavailable', `Reading was ended after ${deadlineMs / 1000} seconds. Work on a smaller part.`);
}

/** Why a thread failed. Errors of its own come from a damaged or hostile file: their messages are not shown. */
function explainEnd(error: unknown): Fault {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory) return new Fault('unavailable', 'Reading took too much memory. Work on a smaller part.');
  return new Fault('invalid_argument', 'The file cannot be read: it is damaged or does not match its extension.', {
    cause: error,
  });
}

/** A thread with no environment and bounded memory, which waits for its one job for up to half a minute. */
export function startReaderThread({ file, memoryMb, preload }: ThreadCode): Worker {
  const thread = new Worker(file, {
    workerData: preload,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  });
  // Discard what libraries print, so that it does not accumulate.
  for (const stream of [thread.stdout, thread.stderr]) stream.resume();
  return thread;
}

/**
 * Reads hostile input in a separate thread with a deadline; it is terminated with the job, even in an endless loop. Unreadable input is a
 * Fault that can be shown to a model.
 */
export async function runReadingThread<Answer, Piece = never>(
  clock: Clock,
  job: ReadingJob<Piece>,
  signal: AbortSignal,
): Promise<Answer> {
  const { thread, data, transfer = [], deadlineMs } = job;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = () => reject(signal.reason);
  const timer = clock.setTimer(() => reject(tooSlow(deadlineMs)), deadlineMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  thread.on('error', (error) => reject(explainEnd(error)));
  thread.on('exit', () => reject(explainEnd(null)));
  thread.on('message', (word: ThreadWord<Piece, Answer>) => {
    if (word.kind === 'answer') resolve(word.answer);
    else if (word.kind === 'fault') reject(new Fault(word.code, word.message));
    else (job.takePiece?.(word.piece) ?? Promise.resolve()).then(() => thread.postMessage('taken'), reject);
  });
  try {
    thread.postMessage(data, transfer);
    return await promise;
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
