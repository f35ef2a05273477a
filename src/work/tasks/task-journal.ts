import { type Begun, type Journal, LeaseLost } from '../../agent/journal.ts';
import type { Clock } from '@errand/base/clock.ts';
import { type Log, silentLog } from '@errand/base/log.ts';
import { taskKey } from '@errand/base/signals/hints.ts';
import type { LoggedEvent, TaskEvent } from '../../rules/events/task-event.ts';
import { foresee } from '../../rules/tasks/next-step.ts';
import { foldAll, type TaskState } from '../../rules/tasks/task-state.ts';
import type { Database } from '../../store/db/database.ts';
import type { CallDemand } from '../../rules/budgets/reservation.ts';
import { readLogged } from '../../store/events/events.ts';
import { beginPaidCall } from '../../store/tasks/paid-calls.ts';
import { type AppendArgs, appendEvents, type Lease, readLease } from '../../store/tasks/task-leases.ts';
import { appendAny } from './paid-append.ts';
import { catchUp } from './task-folding.ts';
import { logFailedTurn } from './turn-failure-log.ts';

export interface TaskJournalParts {
  database: Database;
  clock: Clock;
  lease: Lease;
  state: TaskState;
  /** Aborts when the lease is lost or the worker needs the slot immediately. */
  release: AbortController;
  /** Signs URLs of files in webhook bodies, in base64; without it, bodies contain none. */
  contentKey?: string | null;
  /** Receives a line for each failed turn. */
  log?: Pick<Log, 'warn'>;
  /** Called before the write that ends the lease together with the turn. */
  beforeIdle?: () => Promise<void>;
}

interface Held {
  events: readonly TaskEvent[];
  before: TaskState;
}

const idleTypes = new Set<TaskEvent['type']>(['stopped', 'waiting', 'failed']);

/** The log of a task whose lease this process holds. */
export class TaskJournal implements Journal {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #lease: Lease;
  readonly #release: AbortController;
  readonly #beforeIdle: () => Promise<void>;
  readonly #contentKey: string | null;
  readonly #log: Pick<Log, 'warn'>;
  readonly #unsubscribe: () => void;
  #state: TaskState;
  /** Events that are folded and not stored yet, and the state without them. */
  #held: Held | null = null;
  /** Number of hints received, and how many of them are explained: by writes of this journal, or by a check of the lease. */
  #hintCount = 0;
  #knownHintCount = -1;
  /** Whether budgets limit the task, as far as this journal knows. */
  #isBudgeted = false;
  /** Number of slow effects in progress; one may run another. */
  #attended = 0;
  #isChecking = false;

  constructor(parts: TaskJournalParts) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#lease = parts.lease;
    this.#state = parts.state;
    this.#release = parts.release;
    this.#beforeIdle = parts.beforeIdle ?? (() => Promise.resolve());
    this.#contentKey = parts.contentKey ?? null;
    this.#log = parts.log ?? silentLog;
    this.#unsubscribe = parts.database.hints.subscribe(taskKey(parts.lease.taskId), () => this.#onHint());
  }

  get state(): TaskState {
    return this.#state;
  }

  async hold(events: readonly TaskEvent[]): Promise<void> {
    // The start of a call that budgets limit is stored on its own.
    if (this.#isBudgeted) return this.append(events);
    await this.storeHeld();
    this.#held = { events, before: this.#state };
    this.#state = foresee(this.#state, events, this.#clock.now());
  }

  async storeHeld(): Promise<void> {
    const held = this.#held;
    if (!held) return;
    this.#held = null;
    await this.#foldAfter(held.before, this.#write(held.events, null));
  }

  /** Folds what a write has logged onto the state before held events; that state is left if the write fails. */
  async #foldAfter(before: TaskState, write: Promise<LoggedEvent[] | null>): Promise<void> {
    const logged = await write.finally(() => (this.#state = before));
    await this.#foldLogged(logged);
  }

  async append(events: readonly TaskEvent[]): Promise<void> {
    await this.storeHeld();
    const result = await this.#write(events, null);
    await this.#foldLogged(result);
  }

  async appendIfCurrent(events: readonly TaskEvent[]): Promise<boolean> {
    const { seq } = this.#state;
    await this.storeHeld();
    const result = await this.#write(events, seq);
    if (result) await this.#foldLogged(result);
    else this.#state = await catchUp(this.#database, this.#lease, this.#state);
    return result !== null;
  }

  async #prepare(events: readonly TaskEvent[], expectSeq: number | null): Promise<AppendArgs> {
    this.#release.signal.throwIfAborted();
    if (events.some(({ type }) => idleTypes.has(type))) await this.#beforeIdle();
    const { accountId, taskId, fence } = this.#lease;
    return { accountId, taskId, fence, now: this.#clock.now(), events, expectSeq, contentKey: this.#contentKey };
  }

  /** The logged events; null if the log has grown beyond `expectSeq`. */
  async #write(events: readonly TaskEvent[], expectSeq: number | null): Promise<LoggedEvent[] | null> {
    const append = await this.#prepare(events, expectSeq);
    const result = await appendAny(this.#database, append, this.#isBudgeted);
    if (result.isBudgeted) this.#isBudgeted = true;
    if (result.outcome === 'lost') throw new LeaseLost();
    if (result.outcome === 'behind') return null;
    logFailedTurn(this.#log, this.#lease, events);
    this.#countOwnHint();
    return readLogged(events, result);
  }

  get isBudgeted(): boolean {
    return this.#isBudgeted;
  }

  async appendCall(events: readonly TaskEvent[]): Promise<'logged' | 'behind' | 'budgeted'> {
    if (this.#isBudgeted) return 'budgeted';
    const { seq } = this.#state;
    await this.storeHeld();
    const append = await this.#prepare(events, seq);
    const result = await this.#database.run(appendEvents, append);
    if (result.outcome === 'budgeted') this.#isBudgeted = true;
    if (result.outcome === 'behind') this.#state = await catchUp(this.#database, this.#lease, this.#state);
    if (result.outcome === 'lost') throw new LeaseLost();
    if (result.outcome !== 'logged') return result.outcome;
    this.#countOwnHint();
    await this.#foldLogged(readLogged(events, result));
    return 'logged';
  }

  async begin(start: TaskEvent, demand: CallDemand, isCurrent: boolean): Promise<Begun> {
    this.#release.signal.throwIfAborted();
    const { accountId, taskId, fence } = this.#lease;
    const expectSeq = isCurrent ? this.#state.seq : null;
    if (!isCurrent && this.#held && (await this.#beginAfterHeld(start, this.#held)))
      return { outcome: 'logged', outputLimit: null };
    await this.storeHeld();
    const args = { accountId, taskId, fence, now: this.#clock.now(), expectSeq };
    const free = this.#isBudgeted ? null : await this.#database.run(appendEvents, { ...args, events: [start] });
    if (free?.outcome === 'budgeted') this.#isBudgeted = true;
    const result =
      free === null || free.outcome === 'budgeted' ? await this.#database.run(beginPaidCall, { ...args, start, demand }) : free;
    if (result.outcome === 'lost') throw new LeaseLost();
    if (result.outcome === 'behind') this.#state = await catchUp(this.#database, this.#lease, this.#state);
    if (result.outcome !== 'logged') return result;
    this.#countOwnHint();
    await this.#foldLogged(readLogged([start], result));
    return { outcome: 'logged', outputLimit: 'outputLimit' in result ? result.outputLimit : null };
  }

  /** Stores held events together with the start of a call. False if budgets limit the task: then nothing is stored. */
  async #beginAfterHeld(start: TaskEvent, { events: held, before }: Held): Promise<boolean> {
    const events = [...held, start];
    const result = await this.#database.run(appendEvents, await this.#prepare(events, null));
    if (result.outcome === 'lost') throw new LeaseLost();
    if (result.outcome !== 'logged') {
      this.#isBudgeted = true;
      return false;
    }
    this.#held = null;
    this.#state = before;
    this.#countOwnHint();
    await this.#foldLogged(readLogged(events, result));
    return true;
  }

  #countOwnHint(): void {
    this.#knownHintCount = Math.max(this.#knownHintCount, 0) + 1;
  }

  async #foldLogged(events: readonly LoggedEvent[] | null): Promise<void> {
    const [first] = events ?? [];
    if (!events || !first) return;
    if (first.seq === this.#state.seq + 1) this.#state = foldAll(events, this.#state);
    else this.#state = await catchUp(this.#database, this.#lease, this.#state);
  }

  async attend<Result>(effect: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { signal } = this.#release;
    signal.throwIfAborted();
    await this.storeHeld();
    signal.throwIfAborted();
    this.#attended += 1;
    // A stop between the last write and now has already sent its hint.
    if (this.#hintCount !== this.#knownHintCount) void this.#check();
    try {
      const result = await effect(signal);
      signal.throwIfAborted();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      this.#attended -= 1;
    }
  }

  #onHint(): void {
    this.#hintCount += 1;
    if (this.#attended > 0) void this.#check();
  }

  /** Checks whether this worker still holds the task. A hint alone only says that something changed. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      let seen: number;
      do {
        seen = this.#hintCount;
        const lease = await this.#database.run(readLease, this.#lease);
        if (lease?.fence !== this.#lease.fence) this.#release.abort(new LeaseLost());
      } while (seen !== this.#hintCount);
      this.#knownHintCount = seen;
    } catch {
      // The next renewal decides.
    } finally {
      this.#isChecking = false;
    }
  }

  /** Afterwards, the state is that of the stored events. */
  close(): void {
    if (this.#held) this.#state = this.#held.before;
    this.#held = null;
    this.#unsubscribe();
  }
}
