import { type Clock, pause } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { workersKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { expireLeasesOf, listLeaseOwners } from '../../store/tasks/workers/ended-workers.ts';

/** What the database server knows about worker processes; see `PostgresPresence`. */
export interface WorkerPresence {
  listPresent(): Promise<{ has(workerId: string): boolean; next: number | null; serverAgeMs: number }>;
  waitForEnd(worker: number, signal: AbortSignal): Promise<boolean>;
}

export interface EndedWorkerWatchParts {
  database: Database;
  presence: WorkerPresence;
  clock: Clock;
  log: Log;
}

/** A worker whose session was only interrupted has a new one after this time. */
const graceMs = 300;
/** If the server itself ends, so do all sessions; living workers have new ones after this time. */
const settledServerMs = 10_000;
/** Poll interval, short enough that nothing on the way to the server drops the idle session. */
const pollMs = 15_000;
/** Pause before a lost connection is opened again. */
const retryMs = 500;

/**
 * Ends the leases of worker processes that died, so that their tasks and runs resume within a second rather than after the lease. The workers form a
 * ring, in which each waits for the end of the next one's session.
 */
export class EndedWorkerWatch extends Worker {
  readonly #parts: EndedWorkerWatchParts;
  #waiting: { worker: number; ended: AbortController } | null = null;
  /** True until the first round, which looks for workers that died while nobody watched. */
  #mayHaveEnded = true;

  constructor(parts: EndedWorkerWatchParts) {
    const { database, clock, log } = parts;
    const hint = { hints: database.hints, key: workersKey };
    super({ name: 'ended-worker-watch', clock, log, pollMs, hint, failure: 'other workers could not be watched' });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    if (this.#mayHaveEnded) await this.#expireLeases();
    const { next } = await this.#parts.presence.listPresent();
    if (next === (this.#waiting?.worker ?? null)) return false;
    this.#waiting?.ended.abort();
    this.#waiting = null;
    if (next !== null && this.isAccepting) this.#waitFor(next);
    return false;
  }

  #waitFor(worker: number): void {
    const waiting = { worker, ended: new AbortController() };
    this.#waiting = waiting;
    const wait = async () => {
      try {
        if (await this.#parts.presence.waitForEnd(worker, waiting.ended.signal)) this.#mayHaveEnded = true;
      } catch {
        this.wakeIn(retryMs);
      }
      if (this.#waiting !== waiting) return;
      this.#waiting = null;
      if (this.#mayHaveEnded) this.wake();
    };
    this.track(wait());
  }

  async #expireLeases(): Promise<void> {
    const { database, presence, clock, log } = this.#parts;
    await pause(clock, graceMs, this.signal);
    const { has, serverAgeMs } = await presence.listPresent();
    const ended = (await database.run(listLeaseOwners, null)).filter((workerId) => !has(workerId));
    if (ended.length > 0 && serverAgeMs < settledServerMs) {
      this.wakeIn(settledServerMs - serverAgeMs);
      return;
    }
    this.#mayHaveEnded = false;
    if (ended.length === 0) return;
    const leases = await database.run(expireLeasesOf, ended);
    log.warn({ workers: ended, leases }, 'a worker ended without releasing what it held; others take it now');
  }

  protected override cut(): void {
    this.#waiting?.ended.abort();
    this.#waiting = null;
  }
}
