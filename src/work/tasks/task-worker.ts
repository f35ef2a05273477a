import { LeaseLost } from '../../agent/journal.ts';
import { pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { dueKey } from '@errand/base/signals/hints.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { type ClaimedTask, claimTasks, findStarvedAccount, quarantineCrashes } from '../../store/tasks/task-claims.ts';
import { type Lease, releaseLeases } from '../../store/tasks/task-leases.ts';
import { LeaseKeeper, type LeaseTiming } from './lease-keeper.ts';
import { RunCut, type RunParts, type RunResult, runTask } from './task-run.ts';

export interface TaskWorkerParts extends Omit<RunParts, 'release' | 'shouldYield'> {
  log: Log;
  /** How many requests this process has to answer beside its tasks. */
  gauge: LoadGauge;
  workerId: string;
  concurrency: number;
  timing: LeaseTiming;
  /** How long a shutdown lets steps that are under way come to their end. */
  drainMs: number;
}

/**
 * Accepting goes before working: while requests come in at this rate, claims come one at a time and are the smaller the more
 * requests there are. Tasks that were accepted are safe in the store; callers that wait are not.
 */
const flood = { perMs: 0.8, pauseMs: 20, mostTasks: 24, leastTasks: 6 };

/** Without a hint a worker looks for due tasks this often; it bounds how late a lost hint or an expired lease is noticed. */
const pollMs = 1000;
const claimAtOnce = 64;

interface Running {
  task: ClaimedTask;
  release: AbortController;
}

/** Claims due tasks and drives up to `concurrency` of them at once. */
export class TaskWorker extends Worker {
  readonly #parts: TaskWorkerParts;
  readonly #keeper: LeaseKeeper;
  readonly #running = new Set<Running>();
  /** Tasks that could not be released during a store outage. */
  #owed: Lease[] = [];
  /** The account whose next task to end a step gives its slot to another account. */
  #yieldingAccount: string | undefined;
  #lookedForStarvedAt = 0;
  #afterAccount = '';
  #lastClaimAt = 0;

  constructor(parts: TaskWorkerParts) {
    const { database, ports, log, workerId, timing, drainMs } = parts;
    const hint = { hints: database.hints, key: dueKey };
    super({ name: 'task-worker', clock: ports.clock, log, pollMs, hint, drainMs, failure: 'tasks could not be claimed' });
    this.#parts = parts;
    this.#keeper = new LeaseKeeper({ database, clock: ports.clock, log, workerId, timing });
  }

  protected async work(): Promise<boolean> {
    await this.#payBack();
    const free = this.#parts.concurrency - this.#running.size;
    if (free <= 0) await this.#compactContext();
    const atOnce = await this.#giveWay();
    return free > 0 && this.#claim(Math.min(free, atOnce));
  }

  /** Lets a flood of requests through first; how many tasks to claim at once then. */
  async #giveWay(): Promise<number> {
    const { gauge, ports } = this.#parts;
    const rate = gauge.ratePerMs(ports.clock.monotonic());
    const isFlooded = rate >= flood.perMs;
    const pauseMs = this.#lastClaimAt + flood.pauseMs - ports.clock.monotonic();
    if (isFlooded && pauseMs > 0) await pause(ports.clock, pauseMs);
    this.#lastClaimAt = ports.clock.monotonic();
    return isFlooded ? Math.max(flood.leastTasks, Math.round((flood.mostTasks * flood.perMs) / rate)) : claimAtOnce;
  }

  /** True when more may be due than was taken. */
  async #claim(slots: number): Promise<boolean> {
    const { database, workerId, timing, ports } = this.#parts;
    const sentAt = ports.clock.monotonic();
    const claim = await database.run(claimTasks, {
      workerId,
      ttlMs: timing.ttlMs,
      slots,
      held: [...this.#heldByAccount()],
      afterAccount: this.#afterAccount,
      canTakeQuarantined: ![...this.#running].some(({ task }) => task.crashes >= quarantineCrashes),
    });
    this.#afterAccount = claim.afterAccount;
    for (const task of claim.tasks) this.#begin(task, sentAt);
    return claim.hasMore;
  }

  #heldByAccount(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { task } of this.#running) held.set(task.accountId, (held.get(task.accountId) ?? 0) + 1);
    return held;
  }

  /** With all places taken, an account that has none here gets that of the account with the most whose step ends first. */
  async #compactContext(): Promise<void> {
    const now = this.#parts.ports.clock.monotonic();
    if (now - this.#lookedForStarvedAt < pollMs) return;
    this.#lookedForStarvedAt = now;
    const held = this.#heldByAccount();
    if (this.#yieldingAccount !== undefined || !(await this.#isAnotherStarved([...held.keys()]))) return;
    const [largest] = [...held].toSorted((a, b) => b[1] - a[1]);
    this.#yieldingAccount = largest?.[0];
  }

  /** Called after each step: whether the task gives up its slot. */
  #shouldYield({ accountId, crashes }: ClaimedTask): boolean {
    // A quarantined task that survived a step leaves quarantine, and must not keep the others waiting until it ends.
    if (!this.isAccepting || crashes >= quarantineCrashes) return true;
    if (accountId !== this.#yieldingAccount) return false;
    this.#yieldingAccount = undefined;
    return true;
  }

  async #isAnotherStarved(heldAccounts: string[]): Promise<boolean> {
    try {
      return await this.#parts.database.run(findStarvedAccount, { heldAccounts });
    } catch {
      // The store is away; the next poll asks again.
      return false;
    }
  }

  #begin(task: ClaimedTask, claimStartedAt: number): void {
    const release = new AbortController();
    const running: Running = { task, release };
    this.#running.add(running);
    this.#keeper.hold(task, claimStartedAt, (why) => {
      // The store was away for too long, which is no crash of the task: its lease is given back when it can be.
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
      if (this.isAccepting) result = await runTask(task, { ...this.#parts, release, shouldYield });
    } catch (error) {
      // A defect leaves the lease to run out, which counts as a crash; a store that is away is nobody's fault.
      const isPassing = error instanceof Fault && error.code === 'unavailable';
      result = isPassing ? 'returned' : 'lost';
      log.error(
        { err: error, task_id: task.taskId },
        isPassing ? 'the store is unavailable; the task will resume later' : 'a task failed internally',
      );
    }
    if (result === 'returned') await this.#giveBack([task]);
    this.#keeper.drop(task);
    // Somebody may be waiting for exactly this: a slot, or the end of the only quarantined task.
    const wasAwaited = this.#running.size >= this.#parts.concurrency || task.crashes >= quarantineCrashes;
    this.#running.delete(running);
    if (this.#heldByAccount().get(this.#yieldingAccount ?? '') === undefined) this.#yieldingAccount = undefined;
    if (wasAwaited) this.wake();
  }

  /** Offers tasks to the next worker, waiting for the store if necessary; at the latest their leases expire. */
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

  protected override cut(): void {
    for (const { release } of this.#running) release.abort(new RunCut());
  }
}
