import { LeaseLost } from '../../agent/journal.ts';
import { pause, type Timer } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { dueKey } from '@errand/base/signals/hints.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import { createMutex, type Service } from '@errand/base/service-lifecycle.ts';
import { type ClaimedTask, claimTasks, findStarvedAccount, quarantineCrashes } from '../../store/tasks/task-claims.ts';
import { type Lease, releaseLeases } from '../../store/tasks/task-leases.ts';
import { LeaseKeeper, type LeaseTiming } from './lease-keeper.ts';
import { RunCut, type RunParts, type RunResult, runTask } from './task-run.ts';

export interface TaskWorkerParts extends Omit<RunParts, 'release' | 'shouldYield'> {
  log: Log;
  /** Lets workspaces follow their tasks between machines; null where there is one machine. */
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
  done: Promise<void>;
}

/** Claims due tasks and drives up to `concurrency` of them at once. */
export class TaskWorker implements Service {
  readonly name = 'task-worker';
  readonly #parts: TaskWorkerParts;
  readonly #keeper: LeaseKeeper;
  readonly #running = new Set<Running>();
  readonly #takeTurn = createMutex();
  /** What could not be given back while the store was away. */
  #owed: Lease[] = [];
  /** The account whose next task to end a step gives its slot to another account. */
  #yieldingAccount: string | undefined;
  #isAccepting = false;
  #isClaiming = false;
  #claiming: Promise<void> = Promise.resolve();
  #isDueAgain = false;
  #afterAccount = '';
  #lastClaimAt = 0;
  #pollTimer: Timer | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: TaskWorkerParts) {
    this.#parts = parts;
    const { database, ports, log, workerId, timing } = parts;
    this.#keeper = new LeaseKeeper({ database, clock: ports.clock, log, workerId, timing });
  }

  start(): Promise<void> {
    return this.#takeTurn(() => {
      if (!this.#isAccepting) this.#open();
      return Promise.resolve();
    });
  }

  #open(): void {
    this.#isAccepting = true;
    this.#unsubscribe = this.#parts.database.hints.subscribe(dueKey, () => this.#wake());
    this.#poll();
  }

  #poll(): void {
    if (this.#running.size >= this.#parts.concurrency) void this.#compactContext();
    this.#wake();
    this.#pollTimer = this.#parts.ports.clock.setTimer(() => this.#poll(), pollMs);
  }

  #wake(): void {
    this.#isDueAgain = true;
    if (!this.#isClaiming) this.#claiming = this.#claimAll();
  }

  /** Claims until nothing is due or no place is free. One claim at a time; hints that come meanwhile ask for one more. */
  async #claimAll(): Promise<void> {
    this.#isClaiming = true;
    try {
      while (this.#isAccepting && this.#isDueAgain) {
        this.#isDueAgain = false;
        await this.#payBack();
        const free = this.#parts.concurrency - this.#running.size;
        const atOnce = await this.#giveWay();
        if (free > 0 && (await this.#claim(Math.min(free, atOnce)))) this.#isDueAgain = true;
      }
    } catch (error) {
      // The poll tries again; while the database is away there is nothing else to do.
      this.#parts.log.warn({ err: error }, 'tasks could not be claimed');
    } finally {
      this.#isClaiming = false;
    }
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
    const held = this.#heldByAccount();
    if (this.#yieldingAccount !== undefined || !(await this.#isAnotherStarved([...held.keys()]))) return;
    const [largest] = [...held].toSorted((a, b) => b[1] - a[1]);
    this.#yieldingAccount = largest?.[0];
  }

  /** Asked after each step: whether the task gives its place back. */
  #shouldYield({ accountId, crashes }: ClaimedTask): boolean {
    // A quarantined task that survived a step leaves quarantine, and must not keep the others waiting until it ends.
    if (!this.#isAccepting || crashes >= quarantineCrashes) return true;
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
    const running: Running = { task, release, done: Promise.resolve() };
    this.#running.add(running);
    this.#keeper.hold(task, claimStartedAt, (why) => {
      // The store was away for too long, which is no crash of the task: its lease is given back when it can be.
      if (why === 'doubted') this.#owed.push(task);
      release.abort(new LeaseLost());
    });
    running.done = this.#run(running);
  }

  async #run(running: Running): Promise<void> {
    const { task, release } = running;
    const { log } = this.#parts;
    const shouldYield = () => this.#shouldYield(task);
    let result: RunResult = 'returned';
    try {
      if (this.#isAccepting) result = await runTask(task, { ...this.#parts, release, shouldYield });
    } catch (error) {
      // A defect leaves the lease to run out, which counts as a crash; a store that is away is nobody's fault.
      const isPassing = error instanceof Fault && error.code === 'unavailable';
      result = isPassing ? 'returned' : 'lost';
      log.error(
        { err: error, task_id: task.taskId },
        isPassing ? 'the store is away; the task will go on later' : 'a task failed inside',
      );
    }
    if (result === 'returned') await this.#giveBack([task]);
    this.#keeper.drop(task);
    // Somebody may be waiting for exactly this: a slot, or the end of the only quarantined task.
    const wasAwaited = this.#running.size >= this.#parts.concurrency || task.crashes >= quarantineCrashes;
    this.#running.delete(running);
    if (this.#heldByAccount().get(this.#yieldingAccount ?? '') === undefined) this.#yieldingAccount = undefined;
    if (wasAwaited) this.#wake();
  }

  /** Offers tasks to whoever claims next, when the store is back if it is away; at the latest their leases run out. */
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

  stop(): Promise<void> {
    return this.#takeTurn(() => this.#drain());
  }

  /** No new claims; steps under way may end, and are cut when they take too long; leases are kept alive until then. */
  async #drain(): Promise<void> {
    this.#isAccepting = false;
    this.#pollTimer?.cancel();
    this.#unsubscribe?.();
    const { clock } = this.#parts.ports;
    const allDone = async () => {
      await this.#claiming;
      while (this.#running.size > 0) await Promise.allSettled([...this.#running].map(({ done }) => done));
    };
    const isDone = new AbortController();
    const done = allDone().then(() => isDone.abort());
    await pause(clock, this.#parts.drainMs, isDone.signal);
    for (const { release } of this.#running) release.abort(new RunCut());
    await done;
  }
}
