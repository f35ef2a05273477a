import type { Clock, Timer } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { schedulesKey, taskKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { claimRuns, type ReadyRun } from '../../store/schedules/due-schedules.ts';
import { postponeRun, refuseRun } from '../../store/schedules/run-starts.ts';

/** The outcome of the request to start a run. */
export interface StartReply {
  status: number;
  /** The task that it waits for; null if it does not wait. */
  waitsFor: string | null;
  /** What the caller is told of an error. */
  problem: string;
}

export interface ScheduleWorkerParts {
  database: Database;
  /** Names this worker in leases. */
  workerId: string;
  clock: Clock;
  log: Log;
  /** Counts a run against the rate limit of its account; returns for how many milliseconds it has to wait, 0 for not at all. */
  admit(run: ReadyRun): Promise<number>;
  /** Starts a run through the API, with the rights of the account. */
  start(run: ReadyRun): Promise<StartReply>;
  /** How long a shutdown waits for runs that are being started. */
  drainMs: number;
}

/** Time between rounds without hints. The next due time is known, so this only makes up for lost hints. */
const pollMs = 30_000;
/** Pause after another worker may have taken what was due. */
const againMs = 250;
/** Runs that are started at once. */
const concurrency = 32;
/** Longer than a start takes; after it, another worker tries. */
const leaseMs = 30_000;
/** A run that the service fails to start this often is missed. */
const mostTries = 20;
/** Tasks whose end is awaited; runs that wait for others are looked at from time to time. */
const mostAwaited = 1000;
/** A task announces every step; its end is among them. */
const gatherMs = 250;

/** Records the runs of schedules when they are due, and starts their tasks. Sleeps until the next one. */
export class ScheduleWorker extends Worker {
  readonly #parts: ScheduleWorkerParts;
  /** For each task whose end is awaited: how to stop waiting. */
  readonly #awaited = new Map<string, () => void>();
  #starting = 0;

  constructor(parts: ScheduleWorkerParts) {
    const { database, clock, log, drainMs } = parts;
    const hint = { hints: database.hints, key: schedulesKey };
    super({ name: 'schedule-worker', clock, log, pollMs, hint, drainMs, failure: 'the runs of schedules could not be claimed' });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { database, workerId } = this.#parts;
    const slots = concurrency - this.#starting;
    const { runs, hasMore, nextInMs } = await database.run(claimRuns, { slots, leaseMs, workerId });
    for (const run of runs) this.#begin(run);
    if (nextInMs !== null) this.wakeIn(nextInMs > 0 ? nextInMs : againMs);
    // Without a free slot, the end of a start claims again.
    return hasMore && this.#starting < concurrency;
  }

  protected override leave(): void {
    for (const giveUp of this.#awaited.values()) giveUp();
  }

  #begin(run: ReadyRun): void {
    this.#starting += 1;
    const started = this.#start(run).finally(() => {
      this.#starting -= 1;
    });
    this.track(started);
  }

  /** One attempt. If it fails inside the service, another is made when the lease has expired. */
  async #start(run: ReadyRun): Promise<void> {
    const { start, log } = this.#parts;
    try {
      if (await this.#postpone(run)) return;
      const { status, waitsFor, problem } = await start(run);
      if (waitsFor !== null) this.#await(waitsFor, run);
      else if (status >= 400 && status < 500 && status !== 409) await this.#refuse(run, 'skipped', problem);
      else if (status >= 400 && run.tries >= mostTries) await this.#refuse(run, 'missed', 'The service could not start it.');
      else if (status >= 400) log.warn({ schedule_id: run.scheduleId, problem }, 'a run could not be started; it is tried again');
      // The next run of the same schedule can start.
      if (waitsFor === null) this.wakeIn(1);
    } catch (error) {
      log.warn({ err: error, schedule_id: run.scheduleId }, 'a run could not be started; it is tried again');
    }
  }

  /** A run over the rate limit of its account starts later. Each is counted once, however often it is tried. */
  async #postpone(run: ReadyRun): Promise<boolean> {
    const { admit, database } = this.#parts;
    const waitMs = run.tries === 0 ? await admit(run) : 0;
    if (waitMs === 0) return false;
    await database.run(postponeRun, { ...run, waitMs });
    this.wakeIn(1);
    return true;
  }

  async #refuse({ accountId, scheduleId, dueAtMs }: ReadyRun, outcome: 'skipped' | 'missed', reason: string): Promise<void> {
    const { database, log } = this.#parts;
    log.info({ schedule_id: scheduleId, reason }, `a run was ${outcome}`);
    await database.run(refuseRun, { accountId, scheduleId, dueAtMs, outcome, reason });
  }

  /** Tries the run again once something happens to the task that it waits for. */
  #await(taskId: string, run: ReadyRun): void {
    if (this.#awaited.has(taskId) || this.#awaited.size >= mostAwaited || !this.isAccepting) return;
    const { database, clock } = this.#parts;
    let timer: Timer | undefined;
    const giveUp = () => {
      timer?.cancel();
      unsubscribe();
      this.#awaited.delete(taskId);
    };
    const tryAgain = () => {
      giveUp();
      if (this.isAccepting) this.#begin(run);
    };
    const unsubscribe = database.hints.subscribe(taskKey(taskId), () => {
      timer ??= clock.setTimer(tryAgain, gatherMs);
    });
    this.#awaited.set(taskId, giveUp);
  }
}
