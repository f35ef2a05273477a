import type { Clock } from '@errand/base/clock.ts';
import { createJobThreads, type JobThreads } from '@errand/base/threads/job-thread.ts';
import { ScanSlots, scanSlots } from './scan-slots.ts';
import { type ScanJob, unpackOutcome, type WireCall, type WireOutcome } from './sqlite-messages.ts';

/**
 * Runs costly reads on separate connections, which in WAL mode see every committed write and delay none. A thread starts with the first
 * such read and ends when idle, so a service without searches does not pay for it.
 */
export class SqliteReaders {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #threads: JobThreads;
  readonly #slots: ScanSlots;

  constructor(file: string, thread: URL, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
    this.#slots = new ScanSlots(clock);
    this.#threads = createJobThreads({ file: thread, clock, subject: 'the list', maxThreads: scanSlots });
  }

  run(owner: string, call: WireCall): Promise<unknown> {
    return this.#slots.run(owner, async () => {
      const job: ScanJob = { file: this.#file, call, now: this.#clock.now() };
      // A running statement of SQLite cannot be interrupted, so there is nothing to abort.
      const { signal } = new AbortController();
      const outcome = unpackOutcome((await this.#threads.run('scan', job, { signal, owner })) as WireOutcome);
      if (!outcome.ok) throw outcome.error;
      return outcome.value;
    });
  }

  /** Ends the threads once all requested reads have ended. */
  async close(): Promise<void> {
    await this.#slots.settle();
    await this.#threads.close();
  }
}
