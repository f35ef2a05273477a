import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';

export interface OneUseThread {
  /** The thread's own file, which posts one message: the answer. */
  file: URL;
  /** Its `workerData`. */
  input: unknown;
  /** JavaScript heap size. */
  memoryMb: number;
  deadlineMs: number;
  clock: Clock;
  signal: AbortSignal;
}

/** A thread has ended without an answer: it took too long or too much memory, or failed. */
export class NoAnswer extends Error {}

/**
 * Answers one question about hostile input in a thread that is terminated afterwards, even in an endless loop; nothing of the input is left
 * for the next one. Rejects with `NoAnswer`, or with the signal's reason.
 */
export function askThread<Answer>(thread: OneUseThread): Promise<Answer> {
  const { file, input, memoryMb, deadlineMs, clock, signal } = thread;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(file, {
    workerData: input,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const timer = clock.setTimer(() => reject(new NoAnswer('deadline')), deadlineMs);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  worker.once('message', (answer: Answer) => resolve(answer));
  worker.once('error', (cause: Error) => reject(new NoAnswer(cause.message, { cause })));
  worker.once('exit', () => reject(new NoAnswer('the thread ended')));
  return promise.finally(() => {
    timer.cancel();
    signal.removeEventListener('abort', abort);
    void worker.terminate();
  });
}
