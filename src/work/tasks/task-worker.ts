import { LeaseLost } from '../../agent/journal.ts';
import { Fault } from '@errand/base/fault.ts';
import { dueKey } from '@errand/base/signals/hints.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { usualWeight } from '../../rules/instance/fair-share.ts';
import { classifyCrashes, probationAloneMs } from '../../rules/tasks/crash-blame.ts';
import { type ClaimArgs, type ClaimedTask, claimTasks, findStarvedAccount } from '../../store/tasks/claims/task-claims.ts';
import { ClaimPace } from './claim-pace.ts';
import type { KeptSlot, SlotKeeper } from './creation-slots.ts';
import { LeaseKeeper, type LeaseTiming } from './lease-keeper.ts';
import { LeaseReturns } from './lease-returns.ts';
import { StateCache } from './state-cache.ts';
import { RunCut, type RunParts, type RunResult, runTask } from './task-run.ts';
import { WorkerSlots } from './worker-slots.ts';

export interface TaskWorkerParts extends Omit<RunParts, 'release' | 'shouldYield' | 'states'> {
  log: Log;
  /** What callers ask of this process. */
  gauge: LoadGauge;
  workerId: string;
  concurrency: number;
  /** Default limit of running tasks per account; null for any number. */
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
  /** When the run started, on the monotonic clock. */
  startedAt: number;
}

function isQuarantined({ crashes }: ClaimedTask): boolean {
  return classifyCrashes(crashes) !== 'free';
}

/** Claims due tasks and drives up to `concurrency` of them at once. */
export class TaskWorker extends Worker implements SlotKeeper {
  readonly #parts: TaskWorkerParts;
  readonly #keeper: LeaseKeeper;
  readonly #states: StateCache;
  readonly #pace: ClaimPace;
  readonly #running = new Set<Running>();
  readonly #slots: WorkerSlots;
  /** Whether the queue had tasks that could run here, as of the last claim. */
  #isBehind = true;
  readonly #returns: LeaseReturns;
  /** The account whose next task to end a step gives its slot to another account. */
  #yieldingAccount: string | undefined;
  #lookedForStarvedAt = 0;
  #afterAccount = '';
  #afterPeople: NonNullable<ClaimArgs['afterPeople']> = [];
  #isDraining = false;

  constructor(parts: TaskWorkerParts) {
    const { database, ports, log, workerId, timing, drainMs } = parts;
    const hint = { hints: database.hints, key: dueKey };
    super({ name: 'task-worker', clock: ports.clock, log, pollMs, hint, drainMs, failure: 'tasks could not be claimed' });
    this.#parts = parts;
    this.#slots = new WorkerSlots(parts.concurrency);
    this.#states = new StateCache({ clock: ports.clock });
    this.#pace = new ClaimPace(ports.clock, parts.gauge);
    this.#returns = new LeaseReturns({ database, log, workerId, failurePauseMs: timing.ttlMs });
    this.#keeper = new LeaseKeeper({ database, clock: ports.clock, log, workerId, timing });
  }

  /** Sets whether the worker drains: it claims nothing, and gives back each task after the task's current step. */
  setDraining(isDraining: boolean): void {
    this.#isDraining = isDraining;
    if (!isDraining) this.wake();
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Number of tasks that this worker holds. */
  get heldTasks(): number {
    return this.#running.size;
  }

  get #takesTasks(): boolean {
    return this.isAccepting && !this.#isDraining;
  }

  protected async work(): Promise<boolean> {
    await this.#returns.payBack();
    this.#states.expire();
    if (this.#isDraining) return false;
    this.#isBehind = true;
    if (this.#slots.free <= 0) await this.#makeSlot();
    const atOnce = await this.#pace.giveWay();
    // Looked at after the pause, in which tasks were created, or a stop began.
    const { free } = this.#slots;
    if (free <= 0 || !this.#takesTasks || this.#isOnProbation()) return false;
    this.#isBehind = await this.#claim(Math.min(free, atOnce));
    return this.#isBehind;
  }

  /** Reserves a slot for a new task, unless others wait for slots or requests come first. */
  keepSlot(accountId: string): KeptSlot | null {
    const { workerId, timing, ports, usualMost = null } = this.#parts;
    const isPassing = this.#isBehind || this.#yieldingAccount !== undefined || this.#pace.isFlooded();
    if (!this.#takesTasks || isPassing || usualMost !== null || this.#isOnProbation()) return null;
    if (this.#slots.free <= 0 || this.#slots.isFull(accountId)) return null;
    this.#slots.take(accountId);
    const sentAt = ports.clock.monotonic();
    const settled = Promise.withResolvers<void>();
    // A stop waits for it, so that no task is left with a lease that nobody keeps.
    this.track(settled.promise);
    const settle = (task: ClaimedTask | null) => {
      this.#slots.leave(accountId);
      if (task) this.#begin(task, sentAt);
      else this.wake();
      settled.resolve();
    };
    return { workerId, ttlMs: timing.ttlMs, isTraced: ports.isTraced === true, settle };
  }

  /** Whether a task that may crash its worker runs here alone; for a while, no other task joins it. */
  #isOnProbation(): boolean {
    const [only] = this.#running;
    if (!only || this.#running.size > 1 || classifyCrashes(only.task.crashes) !== 'probation') return false;
    return this.#parts.ports.clock.monotonic() - only.startedAt < probationAloneMs;
  }

  /** Claims due tasks. True if more tasks may be due. */
  async #claim(slots: number): Promise<boolean> {
    const { database, workerId, timing, ports, usualMost = null } = this.#parts;
    const sentAt = ports.clock.monotonic();
    const claim = await database.run(claimTasks, {
      workerId,
      ttlMs: timing.ttlMs,
      slots,
      ...{ held: this.#slots.list(), heldByPerson: this.#slots.listPeople() },
      mostEach: this.#slots.mostEach,
      usualMost,
      ...{ afterAccount: this.#afterAccount, afterPeople: this.#afterPeople },
      canTakeQuarantined: ![...this.#running].some(({ task }) => isQuarantined(task)),
      isIdle: this.#slots.taken === 0,
      isTraced: ports.isTraced === true,
    });
    [this.#afterAccount, this.#afterPeople] = [claim.afterAccount, claim.afterPeople];
    for (const task of claim.tasks) this.#begin(task, sentAt);
    return claim.hasMore;
  }

  /**
   * When all slots are taken, takes one for an account without any from the account with the most for its weight, when its first step ends.
   */
  async #makeSlot(): Promise<void> {
    const now = this.#parts.ports.clock.monotonic();
    if (now - this.#lookedForStarvedAt < pollMs) return;
    this.#lookedForStarvedAt = now;
    if (this.#yieldingAccount !== undefined || !(await this.#isAnotherStarved(this.#slots.list().map(([id]) => id)))) return;
    const weights = new Map([...this.#running].map(({ task }) => [task.accountId, task.weight]));
    const sizeOf = ([accountId, held]: [string, number]) => held / (weights.get(accountId) ?? usualWeight);
    const [largest] = this.#slots.list().toSorted((a, b) => sizeOf(b) - sizeOf(a));
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
    this.#pace.begin(running);
    this.#slots.take(task.accountId, task.externalUserId);
    this.#keeper.hold(task, claimStartedAt, (why) => {
      // The store was unavailable for too long, which is not a crash of the task: its lease is released as soon as possible.
      if (why === 'doubted') this.#returns.owe(task);
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
    if (result === 'returned') await this.#returns.giveBack([task]);
    if (result === 'failed') await this.#returns.reportFailure(task);
    this.#keeper.drop(task);
    // Something may be waiting for this: a slot, one of those that its account may have, or the end of the only quarantined task.
    const isFull = this.#slots.free <= 0 || this.#slots.isFull(task.accountId);
    const wasAwaited = isFull || task.isLimited || isQuarantined(task);
    this.#running.delete(running);
    this.#pace.end(running);
    this.#slots.leave(task.accountId, task.externalUserId);
    if (this.#slots.of(this.#yieldingAccount ?? '') === 0) this.#yieldingAccount = undefined;
    if (wasAwaited) this.wake();
  }

  /** Marks the leases as leaving, so that killing this process while it waits for running steps counts against no task. */
  protected override leave(): void {
    const leases = [...this.#running].map(({ task }) => task);
    if (leases.length > 0) this.track(this.#returns.leave(leases));
  }

  protected override cut(): void {
    for (const { release } of this.#running) release.abort(new RunCut());
  }
}
