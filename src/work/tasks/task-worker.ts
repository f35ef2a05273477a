import { LeaseLost } from '../../agent/journal.ts';
import { Fault } from '@errand/base/fault.ts';
import { dueKey } from '@errand/base/signals/hints.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { mostSlotsOfOne, usualWeight } from '../../rules/instance/fair-share.ts';
import { judge, probationAloneMs } from '../../rules/tasks/crash-blame.ts';
import { failLease, leaveLeases, releaseLeases } from '../../store/tasks/lease-ends.ts';
import { type ClaimedTask, claimTasks, findStarvedAccount } from '../../store/tasks/claims/task-claims.ts';
import { type Lease } from '../../store/tasks/task-leases.ts';
import { ClaimPace } from './claim-pace.ts';
import { LeaseKeeper, type LeaseTiming } from './lease-keeper.ts';
import { StateCache } from './state-cache.ts';
import { RunCut, type RunParts, type RunResult, runTask } from './task-run.ts';

export interface TaskWorkerParts extends Omit<RunParts, 'release' | 'shouldYield' | 'states'> {
  log: Log;
  /** Number of pending requests in this process. */
  gauge: LoadGauge;
  workerId: string;
  concurrency: number;
  /** How many tasks of an account run at once that has no limit of its own from the operator; null for any number. */
  usualMost?: number | null;
  timing: LeaseTiming;
  /** How long a shutdown waits for running steps. */
  drainMs: number;
}

/** Poll interval without hints; it bounds how late a lost hint or an expired lease is noticed. */
const pollMs = 1000;

interface Running {
  task: ClaimedTask;
  release: AbortController;
  /** On the monotonic clock. */
  startedAt: number;
}

function isQuarantined({ crashes }: ClaimedTask): boolean {
  return judge(crashes) !== 'free';
}

/** Claims due tasks and drives up to `concurrency` of them at once. */
export class TaskWorker extends Worker {
  readonly #parts: TaskWorkerParts;
  readonly #keeper: LeaseKeeper;
  readonly #states: StateCache;
  readonly #pace: ClaimPace;
  readonly #running = new Set<Running>();
  /** Of them, those of each account that has some. */
  readonly #held = new Map<string, number>();
  /** Tasks that could not be released during a store outage. */
  #owed: Lease[] = [];
  /** The account whose next task to end a step gives its slot to another account. */
  #yieldingAccount: string | undefined;
  #lookedForStarvedAt = 0;
  #afterAccount = '';
  #isDraining = false;

  constructor(parts: TaskWorkerParts) {
    const { database, ports, log, workerId, timing, drainMs } = parts;
    const hint = { hints: database.hints, key: dueKey };
    super({ name: 'task-worker', clock: ports.clock, log, pollMs, hint, drainMs, failure: 'tasks could not be claimed' });
    this.#parts = parts;
    this.#states = new StateCache({ clock: ports.clock });
    this.#pace = new ClaimPace(ports.clock, parts.gauge);
    this.#keeper = new LeaseKeeper({ database, clock: ports.clock, log, workerId, timing });
  }

  /** Whether it claims nothing and gives back each task when the current step of it ends. */
  setDraining(isDraining: boolean): void {
    this.#isDraining = isDraining;
    if (!isDraining) this.wake();
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** How many tasks it holds. */
  get heldTasks(): number {
    return this.#running.size;
  }

  get #takesTasks(): boolean {
    return this.isAccepting && !this.#isDraining;
  }

  protected async work(): Promise<boolean> {
    await this.#payBack();
    this.#states.expire();
    if (this.#isDraining) return false;
    const free = this.#parts.concurrency - this.#running.size;
    if (free <= 0) await this.#makeSlot();
    const atOnce = await this.#pace.giveWay();
    return free > 0 && !this.#isOnProbation() && this.#claim(Math.min(free, atOnce));
  }

  /** Whether a task that may end its worker is being tried here alone; for a while nothing joins it. */
  #isOnProbation(): boolean {
    const [only] = this.#running;
    if (!only || this.#running.size > 1 || judge(only.task.crashes) !== 'probation') return false;
    return this.#parts.ports.clock.monotonic() - only.startedAt < probationAloneMs;
  }

  /** True if more tasks may be due. */
  async #claim(slots: number): Promise<boolean> {
    const { database, workerId, timing, ports, concurrency, usualMost = null } = this.#parts;
    const sentAt = ports.clock.monotonic();
    const claim = await database.run(claimTasks, {
      workerId,
      ttlMs: timing.ttlMs,
      slots,
      held: [...this.#held],
      mostEach: mostSlotsOfOne(concurrency),
      usualMost,
      afterAccount: this.#afterAccount,
      canTakeQuarantined: ![...this.#running].some(({ task }) => isQuarantined(task)),
      isIdle: this.#running.size === 0,
      isTraced: ports.isTraced === true,
    });
    this.#afterAccount = claim.afterAccount;
    for (const task of claim.tasks) this.#begin(task, sentAt);
    return claim.hasMore;
  }

  #count(accountId: string, change: 1 | -1): void {
    const held = (this.#held.get(accountId) ?? 0) + change;
    if (held > 0) this.#held.set(accountId, held);
    else this.#held.delete(accountId);
  }

  /** When all slots are taken, an account without one gets that of the account with the most for its weight, when its first step ends. */
  async #makeSlot(): Promise<void> {
    const now = this.#parts.ports.clock.monotonic();
    if (now - this.#lookedForStarvedAt < pollMs) return;
    this.#lookedForStarvedAt = now;
    if (this.#yieldingAccount !== undefined || !(await this.#isAnotherStarved([...this.#held.keys()]))) return;
    const weights = new Map([...this.#running].map(({ task }) => [task.accountId, task.weight]));
    const sizeOf = ([accountId, held]: [string, number]) => held / (weights.get(accountId) ?? usualWeight);
    const [largest] = [...this.#held].toSorted((a, b) => sizeOf(b) - sizeOf(a));
    this.#yieldingAccount = largest?.[0];
  }

  /** Called after each step: whether the task gives up its slot. */
  #shouldYield(task: ClaimedTask): boolean {
    // A quarantined task that survived a step leaves quarantine, so that the others need not wait until it ends.
    if (!this.#takesTasks || isQuarantined(task)) return true;
    if (task.accountId !== this.#yieldingAccount) return false;
    this.#yieldingAccount = undefined;
    return true;
  }

  async #isAnotherStarved(heldAccounts: string[]): Promise<boolean> {
    try {
      const { database, usualMost = null } = this.#parts;
      return await database.run(findStarvedAccount, { heldAccounts, usualMost });
    } catch {
      // The store is unavailable; the next poll retries.
      return false;
    }
  }

  #begin(task: ClaimedTask, claimStartedAt: number): void {
    const release = new AbortController();
    const running: Running = { task, release, startedAt: this.#parts.ports.clock.monotonic() };
    this.#running.add(running);
    this.#count(task.accountId, 1);
    this.#keeper.hold(task, claimStartedAt, (why) => {
      // The store was unavailable for too long, which is not a crash of the task: its lease is released as soon as possible.
      if (why === 'doubted') this.#owed.push(task);
      release.abort(new LeaseLost());
    });
    this.track(this.#run(running));
  }

  async #run(running: Running): Promise<void> {
    const { task, release } = running;
    const { log } = this.#parts;
    const shouldYield = () => this.#shouldYield(task);
    let result: RunResult = 'returned';
    try {
      if (this.#takesTasks) result = await runTask(task, { ...this.#parts, states: this.#states, release, shouldYield });
    } catch (error) {
      // A defect counts against the task; an unavailable store does not.
      const isPassing = error instanceof Fault && error.code === 'unavailable';
      result = isPassing ? 'returned' : 'failed';
      log.error(
        { err: error, task_id: task.taskId },
        isPassing ? 'the store is unavailable; the task will resume later' : 'a task failed internally',
      );
    }
    if (result === 'returned') await this.#giveBack([task]);
    if (result === 'failed') await this.#reportFailure(task);
    this.#keeper.drop(task);
    // Something may be waiting for this: a slot, one of those that its account may have, or the end of the only quarantined task.
    const { concurrency } = this.#parts;
    const isAccountFull = (this.#held.get(task.accountId) ?? 0) >= mostSlotsOfOne(concurrency);
    const wasAwaited = this.#running.size >= concurrency || isAccountFull || task.isLimited || isQuarantined(task);
    this.#running.delete(running);
    this.#count(task.accountId, -1);
    if (!this.#held.has(this.#yieldingAccount ?? '')) this.#yieldingAccount = undefined;
    if (wasAwaited) this.wake();
  }

  /** If the store does not learn of it, the lease expires, which counts as well. */
  async #reportFailure({ accountId, taskId, fence }: ClaimedTask): Promise<void> {
    const { database, log, timing } = this.#parts;
    try {
      await database.run(failLease, { accountId, taskId, fence, pauseMs: timing.ttlMs });
    } catch (error) {
      log.warn({ err: error, task_id: taskId }, 'the failure of a task could not be stored');
    }
  }

  /** Releases tasks for the next worker, waiting for the store if necessary; at the latest their leases expire. */
  async #giveBack(leases: Lease[]): Promise<void> {
    const { database, workerId, log } = this.#parts;
    try {
      await database.run(releaseLeases, { workerId, leases });
    } catch (error) {
      this.#owed.push(...leases);
      log.warn({ err: error }, 'leases could not be given back');
    }
  }

  async #payBack(): Promise<void> {
    const owed = this.#owed;
    this.#owed = [];
    if (owed.length > 0) await this.#giveBack(owed);
  }

  /** Whoever kills this process while it waits for running steps, no task is to blame. */
  protected override leave(): void {
    const { database, workerId, log } = this.#parts;
    const leases = [...this.#running].map(({ task }) => task);
    if (leases.length === 0) return;
    const noted = database.run(leaveLeases, { workerId, leases }).then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, 'the store could not be told that this worker stops'),
    );
    this.track(noted);
  }

  protected override cut(): void {
    for (const { release } of this.#running) release.abort(new RunCut());
  }
}
