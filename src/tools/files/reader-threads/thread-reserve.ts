import type { Worker } from 'node:worker_threads';
import type { Clock } from '@errand/base/clock.ts';
import { startReaderThread, type ThreadCode } from './reader-thread.ts';

/** Less than a thread waits for its job, so that none is taken while it ends. */
const freshMs = 25_000;

/**
 * One thread that has loaded its libraries and waits for a job, because loading them takes longer than most reads. Like every other, it
 * reads one file and is terminated: nothing of one account's file is left in it for the next.
 */
export class ThreadReserve {
  readonly #clock: Clock;
  readonly #code: ThreadCode;
  #waiting: { thread: Worker; startedAtMs: number } | null = null;

  constructor(clock: Clock, code: ThreadCode) {
    this.#clock = clock;
    this.#code = code;
  }

  /** Whether a thread waits. */
  get isReady(): boolean {
    return this.#waiting !== null;
  }

  /** The thread that waits, or else a new one. */
  take(): Worker {
    const waiting = this.#waiting;
    this.#waiting = null;
    // One that is too old exits without a job.
    if (!waiting || this.#clock.monotonic() - waiting.startedAtMs > freshMs) return startReaderThread(this.#code);
    waiting.thread.ref();
    return waiting.thread;
  }

  /** Starts a thread for the next job. It keeps no process alive, and exits if nobody takes it. */
  refill(): void {
    if (this.isReady) return;
    const thread = startReaderThread(this.#code);
    thread.unref();
    const drop = () => {
      if (this.#waiting?.thread === thread) this.#waiting = null;
    };
    thread.on('error', drop);
    thread.on('exit', drop);
    this.#waiting = { thread, startedAtMs: this.#clock.monotonic() };
  }
}
