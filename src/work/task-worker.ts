import type { AgentPorts } from '../agent/ports.ts';
import { LeaseLost } from '../agent/journal.ts';
import { pause, type Timer } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { dueKey } from '../base/hints.ts';
import type { Log } from '../base/log.ts';
import type { Service } from '../base/service.ts';
import { type ClaimedTask, claimTasks, findStarvedAccount, suspectCrashes } from '../store/claims.ts';
import type { Database } from '../store/db/database.ts';
import { releaseLeases } from '../store/leases.ts';
import { LeaseKeeper, type LeaseTiming } from './lease-keeper.ts';
import { RunCut, type RunResult, runTask } from './task-run.ts';

export interface TaskWorkerParts {
  database: Database;
  ports: AgentPorts;
  log: Log;
  workerId: string;
  concurrency: number;
  timing: LeaseTiming;
  /** How long a shutdown lets steps that are under way come to their end. */
  drainMs: number;
}

/** Without a hint a worker looks for due tasks this often; it bounds how late a lost hint or an expired lease is noticed. */
const pollMs = 1000;
const claimAtOnce = 64;

interface Running {
  task: ClaimedTask;
  release: AbortController;
  isAskedToYield: boolean;
  done: Promise<void>;
}

/** Claims due tasks and drives up to `concurrency` of them at once. */
export class TaskWorker implements Service {
  readonly name = 'task-worker';
  readonly #parts: TaskWorkerParts;
  readonly #keeper: LeaseKeeper;
  readonly #running = new Map<string, Running>();
  #isAccepting = false;
  #isClaiming = false;
  #claiming: Promise<void> = Promise.resolve();
  #isDueAgain = false;
  #afterAccount = '';
  #pollTimer: Timer | undefined;
  #unsubscribe: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(parts: TaskWorkerParts) {
    this.#parts = parts;
    const { database, ports, log, workerId, timing } = parts;
    this.#keeper = new LeaseKeeper({ database, clock: ports.clock, log, workerId, timing });
  }

  start(): Promise<void> {
    if (this.#isAccepting || this.#stopping) return this.#stopping ?? Promise.resolve();
    this.#isAccepting = true;
    this.#unsubscribe = this.#parts.database.hints.subscribe(dueKey, () => this.#wake());
    this.#poll();
    return Promise.resolve();
  }

  #poll(): void {
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
        const free = this.#parts.concurrency - this.#running.size;
        if (free <= 0) await this.#makeRoom();
        else if (await this.#claim(Math.min(free, claimAtOnce))) this.#isDueAgain = true;
      }
    } catch (error) {
      // The poll tries again; while the database is away there is nothing else to do.
      this.#parts.log.warn({ err: error }, 'tasks could not be claimed');
    } finally {
      this.#isClaiming = false;
    }
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
      canTakeSuspect: ![...this.#running.values()].some(({ task }) => task.crashes >= suspectCrashes),
    });
    this.#afterAccount = claim.afterAccount;
    for (const task of claim.tasks) this.#begin(task, sentAt);
    return claim.hasMore;
  }

  #heldByAccount(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { task } of this.#running.values()) held.set(task.accountId, (held.get(task.accountId) ?? 0) + 1);
    return held;
  }

  /** With all places taken, an account that has none here gets one at the next step of the account that holds the most. */
  async #makeRoom(): Promise<void> {
    const held = this.#heldByAccount();
    const isAsked = [...this.#running.values()].some(({ isAskedToYield }) => isAskedToYield);
    if (isAsked || !(await this.#parts.database.run(findStarvedAccount, { heldAccounts: [...held.keys()] }))) return;
    const [largest] = [...held].toSorted((a, b) => b[1] - a[1]);
    const running = [...this.#running.values()].find(({ task }) => task.accountId === largest?.[0]);
    if (running) running.isAskedToYield = true;
  }

  #begin(task: ClaimedTask, claimStartedAt: number): void {
    const release = new AbortController();
    const running: Running = { task, release, isAskedToYield: false, done: Promise.resolve() };
    this.#running.set(task.taskId, running);
    this.#keeper.hold(task, claimStartedAt, () => release.abort(new LeaseLost()));
    running.done = this.#run(running);
  }

  async #run(running: Running): Promise<void> {
    const { task, release } = running;
    const { database, ports, log } = this.#parts;
    const shouldYield = () => running.isAskedToYield || !this.#isAccepting;
    let result: RunResult = 'returned';
    try {
      if (this.#isAccepting) result = await runTask(task, { database, ports, release, shouldYield });
    } catch (error) {
      // A defect leaves the lease to run out, which counts as a crash; a store that is away is nobody's fault.
      const isPassing = error instanceof Fault && error.code === 'unavailable';
      result = isPassing ? 'returned' : 'lost';
      log.error(
        { err: error, task_id: task.taskId },
        isPassing ? 'the store is away; the task will go on later' : 'a task failed inside',
      );
    }
    if (result === 'returned') await this.#giveBack(task);
    this.#keeper.drop(task);
    const wasFull = this.#running.size >= this.#parts.concurrency;
    if (this.#running.get(task.taskId) === running) this.#running.delete(task.taskId);
    if (wasFull) this.#wake();
  }

  /** Offers the task to whoever claims next. If even that fails, its lease runs out by itself. */
  async #giveBack(task: ClaimedTask): Promise<void> {
    const { database, workerId, log } = this.#parts;
    try {
      await database.run(releaseLeases, { workerId, leases: [task] });
    } catch (error) {
      log.warn({ err: error, task_id: task.taskId }, 'a lease could not be given back');
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#drain();
    return this.#stopping;
  }

  /** No new claims; steps under way may end, and are cut when they take too long; leases are kept alive until then. */
  async #drain(): Promise<void> {
    this.#isAccepting = false;
    this.#pollTimer?.cancel();
    this.#unsubscribe?.();
    const { clock } = this.#parts.ports;
    const allDone = async () => {
      await this.#claiming;
      while (this.#running.size > 0) await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    };
    const isDone = new AbortController();
    const done = allDone().then(() => isDone.abort());
    await pause(clock, this.#parts.drainMs, isDone.signal);
    for (const { release } of this.#running.values()) release.abort(new RunCut());
    await done;
    this.#stopping = undefined;
  }
}
