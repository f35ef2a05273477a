import { type Clock, pause, type Timer } from './clock.ts';
import type { Log } from './log.ts';
import { createMutex, type Service } from './service-lifecycle.ts';
import type { Hints } from './signals/hints.ts';

/** The longest delay after a failed round, in milliseconds: a blip of the database must not look like a job that fails for an hour. */
const retryMs = 60_000;

/** How a worker is woken and how it ends. */
export interface WorkerSchedule {
  name: string;
  clock: Clock;
  log: Log;
  /** Poll interval without hints, and the delay after a failed round, which is a minute at most. */
  pollMs: number;
  /** The hint that wakes it, and how long to collect more of them before the round. */
  hint?: { hints: Hints; key: string; gatherMs?: number };
  /** How long a stop waits for work in progress before aborting it; without it, work is aborted immediately. */
  drainMs?: number;
  /** The log message for a failed round. */
  failure: string;
}

/** What a background worker last did. */
export interface JobState {
  name: string;
  /** Start of the last round that ended, Unix milliseconds; null before. */
  ranAtMs: number | null;
  /** How long that round took; null before. */
  tookMs: number | null;
  /** Start of the round under way; null between rounds. */
  runningSinceMs: number | null;
  /** What failed, and since when rounds do; null if the last one succeeded. */
  failure: string | null;
  failingSinceMs: number | null;
}

/**
 * Base class of background workers: rounds of `work`, one at a time, triggered by a hint, a timer or the poll. A wake-up during a round
 * triggers one more. Starts and stops may come in any order and number; the last one counts.
 */
export abstract class Worker implements Service {
  readonly name: string;
  readonly #schedule: WorkerSchedule;
  readonly #takeTurn = createMutex();
  readonly #underWay = new Set<Promise<void>>();
  #isAccepting = false;
  #isDue = false;
  #isBusy = false;
  #rounds: Promise<void> = Promise.resolve();
  #cut = new AbortController();
  #timer: { timer: Timer; at: number } | undefined;
  #unsubscribe: (() => void) | undefined;
  #state: Omit<JobState, 'name'> = { ranAtMs: null, tookMs: null, runningSinceMs: null, failure: null, failingSinceMs: null };

  constructor(schedule: WorkerSchedule) {
    this.name = schedule.name;
    this.#schedule = schedule;
  }

  /** One round; true if more may be due already. */
  protected abstract work(): Promise<boolean>;

  /** Called when a stop begins to wait for running work. */
  protected leave(): void {}

  /** Called when a stop has waited long enough; `signal` is aborted by then. */
  protected cut(): void {}

  /** Aborted when running work has to end. */
  protected get signal(): AbortSignal {
    return this.#cut.signal;
  }

  /** False from the moment of a stop: nothing new may begin. */
  protected get isAccepting(): boolean {
    return this.#isAccepting;
  }

  /** What it last did, for operators. */
  get state(): JobState {
    return { name: this.name, ...this.#state };
  }

  start(): Promise<void> {
    return this.#takeTurn(() => {
      if (!this.#isAccepting) this.#open();
      return Promise.resolve();
    });
  }

  stop(): Promise<void> {
    return this.#takeTurn(() => this.#drain());
  }

  /** Notes that it works again: after a round, or in the middle of one that lasts. */
  protected succeed(): void {
    this.#state.failure = null;
    this.#state.failingSinceMs = null;
  }

  /** Requests a round now. */
  protected wake(): void {
    this.#isDue = true;
    if (this.#isAccepting && !this.#isBusy) this.#rounds = this.#runRounds();
  }

  /** Requests a round after this many milliseconds, or earlier. */
  protected wakeIn(delayMs: number): void {
    if (!this.#isAccepting) return;
    const { clock } = this.#schedule;
    const waitMs = Math.max(1, delayMs);
    const at = clock.monotonic() + waitMs;
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.timer.cancel();
    const timer = clock.setTimer(() => {
      this.#timer = undefined;
      this.wake();
    }, waitMs);
    this.#timer = { timer, at };
  }

  /** Work that continues alongside the rounds and that a stop waits for. It must not reject. */
  protected track(work: Promise<void>): void {
    const done = work.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  #open(): void {
    this.#isAccepting = true;
    this.#cut = new AbortController();
    const { hint } = this.#schedule;
    const wake = () => (hint?.gatherMs === undefined ? this.wake() : this.wakeIn(hint.gatherMs));
    this.#unsubscribe = hint?.hints.subscribe(hint.key, wake);
    wake();
  }

  async #runRounds(): Promise<void> {
    const { log, pollMs, failure } = this.#schedule;
    this.#isBusy = true;
    try {
      while (this.#isAccepting && this.#isDue) {
        this.#isDue = false;
        if (await this.#runOne()) this.#isDue = true;
      }
    } catch (error) {
      this.wakeIn(Math.min(pollMs, retryMs));
      if (!this.signal.aborted) {
        this.#state.failure = failure;
        this.#state.failingSinceMs ??= this.#state.ranAtMs;
        log.warn({ err: error }, failure);
      }
    } finally {
      this.#isBusy = false;
      this.wakeIn(pollMs);
    }
  }

  async #runOne(): Promise<boolean> {
    const { clock } = this.#schedule;
    const [beganAt, beganAtMs] = [clock.monotonic(), clock.now()];
    this.#state.runningSinceMs = beganAtMs;
    try {
      const isMoreDue = await this.work();
      this.succeed();
      return isMoreDue;
    } finally {
      this.#state.ranAtMs = beganAtMs;
      this.#state.tookMs = clock.monotonic() - beganAt;
      this.#state.runningSinceMs = null;
    }
  }

  /** Drains the worker: nothing new begins, and running work may finish but is aborted if it takes too long. */
  async #drain(): Promise<void> {
    this.#isAccepting = false;
    this.#unsubscribe?.();
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    const { clock, drainMs = 0 } = this.#schedule;
    this.leave();
    const isDone = new AbortController();
    const done = this.#settle().then(() => isDone.abort());
    if (drainMs > 0) await pause(clock, drainMs, isDone.signal);
    this.#cut.abort(new Error('the worker is shutting down'));
    this.cut();
    await done;
  }

  async #settle(): Promise<void> {
    await this.#rounds;
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }
}
