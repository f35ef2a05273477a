import { Worker } from 'node:worker_threads';
import type { Clock } from '@errand/base/clock.ts';
import { Fault, type FaultCode } from '@errand/base/fault.ts';

/** What a reading thread says: a piece of its result, or how it ended. */
export type ThreadWord<Piece, Answer> =
  | { kind: 'piece'; piece: Piece }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'fault'; code: FaultCode; message: string };

export interface ReadingJob<Piece> {
  /** The code of the thread. */
  file: URL;
  data: unknown;
  /** What of `data` is given away instead of being copied. */
  transfer?: ArrayBuffer[];
  deadlineMs: number;
  memoryMb: number;
  /** Receives each piece; the thread continues once it has been taken. */
  takePiece?(piece: Piece): Promise<void>;
}

function tooSlow(deadlineMs: number): Fault {
  return new Fault('unavailable', `Reading was ended after ${deadlineMs / 1000} seconds. Work on a smaller part.`);
}

/** What ended a thread from inside. Its own errors are a damaged or hostile file's: their texts are nobody's business. */
function explainEnd(error: unknown): Fault {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory) return new Fault('unavailable', 'Reading took too much memory. Work on a smaller part.');
  return new Fault('invalid_argument', 'It cannot be read: it is damaged, or not what its name says.', { cause: error });
}

/**
 * Reads hostile input in a separate thread, which has no environment, bounded memory, and a deadline, and is terminated with
 * the job, also in the middle of a loop that would never end. What cannot be read is a Fault that can be shown to a model.
 */
export async function runReadingThread<Answer, Piece = never>(
  clock: Clock,
  job: ReadingJob<Piece>,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const { file, data, transfer = [], deadlineMs, memoryMb } = job;
  const worker = new Worker(file, {
    workerData: data,
    transferList: transfer,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  });
  // What libraries print about a file is of no interest, and must not pile up.
  for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = () => reject(signal.reason);
  const timer = clock.setTimer(() => reject(tooSlow(deadlineMs)), deadlineMs);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('error', (error) => reject(explainEnd(error)));
  worker.on('exit', () => reject(explainEnd(null)));
  worker.on('message', (word: ThreadWord<Piece, Answer>) => {
    if (word.kind === 'answer') resolve(word.answer);
    else if (word.kind === 'fault') reject(new Fault(word.code, word.message));
    else (job.takePiece?.(word.piece) ?? Promise.resolve()).then(() => worker.postMessage('taken'), reject);
  });
  try {
    return await promise;
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
