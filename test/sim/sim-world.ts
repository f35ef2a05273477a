import { createHash } from 'node:crypto';
import { pause } from '@errand/base/clock.ts';
import type { Hint } from '@errand/base/signals/hints.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { silentLog } from '@errand/base/log.ts';
import { appendEvents, type AppendArgs } from '../../src/store/tasks/task-leases.ts';
import type { StoreOperation } from '../../src/store/db/store-operation.ts';
import { readLog } from '../../src/store/events/events.ts';
import { noSkills } from '../../src/tools/skills/task-skills.ts';
import { createToolbox } from '../../src/tools/toolbox/toolbox.ts';
import { leaseTiming } from '../../src/work/tasks/lease-keeper.ts';
import { TaskWorker } from '../../src/work/tasks/task-worker.ts';
import { plainPorts, noFiles } from '../support/tasks/agent-under-test.ts';
import { MemoryDatabase } from '../support/db/memory-database.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { ErraticModel, makeTools, ToolRuns } from './actors.ts';
import { Chance } from './sim-chance.ts';
import { checkGrowth, checkLedger, checkIdle, checkTask, type TaskRow } from './checks.ts';
import { Clients } from './clients.ts';
import { ProcessView, type Road } from './process-view.ts';

const ttlMs = 15_000;
const processCount = 3;
const concurrency = 6;

interface Process {
  view: ProcessView;
  worker: TaskWorker;
}

/**
 * A small world of clients and worker processes around the real rules, the real agent, the real workers and the real store.
 * Everything that happens follows from the seed.
 */
export class World implements Road {
  readonly #clock = new TestClock();
  readonly #database = new MemoryDatabase(this.#clock);
  readonly #chance: Chance;
  readonly #model: ErraticModel;
  readonly #runs = new ToolRuns();
  readonly #clients: Clients;
  #processes: Process[] = [];
  #hasFaults = true;
  #count = 0;
  /** What a worker did wrong, found out where it cannot be thrown. */
  readonly #problems: string[] = [];
  /** What happened, for the story of a run that failed. */
  readonly steps: string[] = [];
  readonly tally = new Map<string, number>();

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    this.#model = new ErraticModel(this.#clock, this.#chance);
    this.#clients = new Clients({ database: this.#database, clock: this.#clock, chance: this.#chance, line: this });
  }

  async begin(): Promise<void> {
    for (let count = 0; count < processCount; count += 1) await this.#startProcess();
  }

  isBlocked(): boolean {
    return this.#hasFaults && this.#chance.is(0.01);
  }

  async perform<Args, Result>(view: ProcessView, operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    // The way to the store and back takes its time, in which others get there.
    if (this.#chance.is(0.5)) await pause(this.#clock, this.#chance.below(60));
    const result = await this.#database.run(operation, args);
    if (operation.name === appendEvents.name && (result as { outcome: string }).outcome === 'logged') {
      const { taskId, fence } = args as unknown as AppendArgs;
      const task = this.#clients.tasks.get(taskId);
      if (task && fence < task.fence) this.#problems.push(`${view.name} wrote with fence ${fence} after ${task.fence}`);
      if (task) task.fence = fence;
    }
    if (this.#chance.is(0.2)) await pause(this.#clock, this.#chance.below(60));
    return result;
  }

  publish(from: ProcessView | null, hint: Hint): void {
    for (const { view } of this.#processes) {
      const isLost = this.#hasFaults && view !== from && this.#chance.is(0.1);
      if (!isLost) view.receive(hint);
    }
  }

  async #startProcess(): Promise<void> {
    this.#count += 1;
    const view = new ProcessView(`process ${this.#count}`, this, this.#clock);
    const worker = new TaskWorker({
      keeper: null,
      database: view,
      log: silentLog,
      gauge: new LoadGauge(this.#clock),
      workerId: view.name,
      concurrency,
      timing: leaseTiming(ttlMs),
      drainMs: 5000,
      ports: {
        modelFor: () => this.#model,
        workspaceOf: () => noFiles,
        ...plainPorts,
        taskTools: () => Promise.resolve({ skills: noSkills, connectorTools: [] }),
        toolbox: createToolbox(makeTools(view, this.#chance, this.#runs), silentLog),
        deltas: view.deltas,
        clock: view,
        chance: () => this.#chance.next(),
      },
    });
    this.#processes.push({ view, worker });
    await worker.start();
  }

  /** One thing that happens, and some time that passes. */
  async step(): Promise<void> {
    const actions: [weight: number, name: string, act: () => Promise<unknown>][] = [
      [20, 'create', () => this.#clients.create()],
      [16, 'message', () => this.#clients.message()],
      [8, 'stop', () => this.#clients.stop()],
      [2, 'delete', () => this.#clients.delete()],
      [3, 'crash', () => this.#crash()],
      [2, 'drain', () => this.#drain()],
      [3, 'pause', () => this.#pause()],
      [6, 'resume', () => this.#resume()],
      [1, 'clock jump', () => this.#jump()],
      [39, 'wait', () => Promise.resolve()],
    ];
    let draw = this.#chance.below(100);
    const chosen = actions.find(([weight]) => (draw -= weight) < 0);
    const name = chosen?.[1] ?? 'wait';
    this.steps.push(`${this.#clock.monotonic()} ${name}`);
    this.tally.set(name, (this.tally.get(name) ?? 0) + 1);
    await chosen?.[2]();
    await this.#clock.advance(this.#chance.below(1500));
  }

  #takeProcess(): Process | undefined {
    const process = this.#chance.pick(this.#processes);
    this.#processes = this.#processes.filter((one) => one !== process);
    return process;
  }

  async #crash(): Promise<void> {
    this.#takeProcess()?.view.kill();
    await this.#startProcess();
  }

  /** A rolling restart: the old process drains while the new one works. */
  async #drain(): Promise<void> {
    const running = this.#processes.filter(({ view }) => !view.isPaused);
    const process = this.#chance.pick(running);
    if (!process) return;
    await this.#startProcess();
    void this.#retire(process);
  }

  async #retire(process: Process): Promise<void> {
    await process.worker.stop();
    this.#processes = this.#processes.filter((one) => one !== process);
  }

  #pause(): Promise<void> {
    this.#chance.pick(this.#processes)?.view.pause();
    return Promise.resolve();
  }

  #resume(): Promise<void> {
    this.#chance.pick(this.#processes.filter(({ view }) => view.isPaused))?.view.resume();
    return Promise.resolve();
  }

  /** The wall clock of the machine that has the store. */
  #jump(): Promise<void> {
    this.#clock.jump(this.#chance.below(7_200_000) - 3_600_000);
    return Promise.resolve();
  }

  /**
   * No more faults; every task must come to rest: half an hour after the last lease has run out, which may be hours away
   * because clocks were set back while a worker died. Answers how long it took.
   */
  async settle(): Promise<number> {
    this.#hasFaults = false;
    this.#model.isErratic = false;
    for (const { view } of this.#processes) view.resume();
    const begunAt = this.#clock.monotonic();
    const ends = this.#readRows().map(({ wake_at }) => (wake_at ?? 0) - this.#clock.now());
    const timeoutMs = Math.max(0, ...ends) + 1_800_000;
    const isRunning = () => this.#database.query("SELECT id FROM tasks WHERE status = 'running' LIMIT 1").length > 0;
    while (isRunning() && this.#clock.monotonic() - begunAt < timeoutMs) await this.#clock.advance(10_000);
    await this.check();
    for (const row of this.#readRows()) {
      const task = this.#clients.tasks.get(row.id);
      if (task) this.#guard(row, () => checkIdle(row, task.log));
    }
    return this.#clock.monotonic() - begunAt;
  }

  #readRows(): TaskRow[] {
    const columns = 'id, status, last_seq, last_event_at, wake_at, lease_owner, fence, input_tokens, credits';
    return this.#database.query(`SELECT ${columns} FROM tasks ORDER BY id`) as unknown as TaskRow[];
  }

  #fail(problem: string): Error {
    return new Error(`${problem}\n${this.steps.slice(-30).join('\n')}`);
  }

  #guard(row: TaskRow, check: () => void): void {
    try {
      check();
    } catch (error) {
      throw this.#fail(`task ${row.id}: ${(error as Error).message}`);
    }
  }

  /** Every invariant, of every task. */
  async check(): Promise<void> {
    const [problem] = this.#problems;
    if (problem !== undefined) throw this.#fail(problem);
    const rows = this.#readRows();
    const present = new Set(rows.map(({ id }) => id));
    for (const task of this.#clients.tasks.values()) {
      if (present.has(task.taskId)) continue;
      if (!task.mayBeMissing) throw this.#fail(`task ${task.taskId} is lost`);
      this.#clients.tasks.delete(task.taskId);
    }
    for (const row of rows) {
      const task = this.#clients.tasks.get(row.id);
      if (!task) continue;
      const { accountId, taskId } = task;
      const log = await this.#database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 100_000 });
      this.#guard(row, () => {
        checkTask(row, log, task.said, this.#runs);
        const bills = this.#database.query(`SELECT type, credits, session FROM usage_records WHERE task_id = '${taskId}'`);
        checkLedger(row, log, bills);
        checkGrowth(task.log, log);
        if (row.fence < task.fence) throw new Error('the fence went down');
      });
      task.log = log;
    }
  }

  /** One number for everything that was stored. */
  digest(): string {
    const hash = createHash('sha256');
    for (const row of this.#database.query('SELECT task_id, seq, at, type, body FROM events ORDER BY task_id, seq')) {
      hash.update(JSON.stringify(row));
    }
    return hash.digest('hex');
  }
}
