import { pause } from '@errand/base/clock.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Hint } from '@errand/base/signals/hints.ts';
import type { Model } from '../../src/models/model.ts';
import type { StoreOperation } from '../../src/store/db/store-operation.ts';
import { readLog } from '../../src/store/events/events.ts';
import { createTask } from '../../src/store/tasks/tasks.ts';
import { noSkills } from '../../src/tools/skills/task-skills.ts';
import { createToolbox } from '../../src/tools/toolbox/toolbox.ts';
import { leaseTiming } from '../../src/work/tasks/lease-keeper.ts';
import { TaskWorker } from '../../src/work/tasks/task-worker.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { MemoryDatabase } from '../support/db/memory-database.ts';
import { sampleTask } from '../support/db/store-samples.ts';
import { call, noFiles, noteTool, plainPorts, reply, say } from '../support/tasks/agent-under-test.ts';
import { ProcessView, type Road } from './process-view.ts';
import { Chance } from './sim-chance.ts';

const ttlMs = 15_000;
const restartMs = 2000;
const concurrency = 16;
const poison = 'poison';

interface Process {
  view: ProcessView;
  worker: TaskWorker;
  /** The tasks in a model call right now. */
  inCall: Set<string>;
}

/** One death of a worker: who caused it, and which other tasks lost a step by it. */
export interface Death {
  culprit: string | null;
  atMs: number;
  harmed: readonly string[];
}

export interface StormTask {
  taskId: string;
  text: string;
}

/** Real workers on a real store; some are killed from outside, some by a task. */
export class KillStorm implements Road {
  readonly clock = new TestClock();
  readonly deaths: Death[] = [];
  readonly #database = new MemoryDatabase(this.clock);
  readonly #chance: Chance;
  readonly #longestStepMs: number;
  readonly #steps = new Map<string, number>();
  #processes: Process[] = [];
  #count = 0;

  constructor(seed: number, longestStepMs: number) {
    this.#chance = new Chance(seed);
    this.#longestStepMs = longestStepMs;
  }

  isBlocked(): boolean {
    return false;
  }

  async perform<Args, Result>(_view: ProcessView, operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    return this.#database.run(operation, args);
  }

  publish(_from: ProcessView | null, hint: Hint): void {
    for (const { view } of this.#processes) view.receive(hint);
  }

  async begin(processes: number): Promise<void> {
    for (let count = 0; count < processes; count += 1) await this.#startProcess();
  }

  async #startProcess(): Promise<void> {
    this.#count += 1;
    const view = new ProcessView(`process ${this.#count}`, this, this.clock);
    const inCall = new Set<string>();
    const model = this.#makeModel(view, inCall);
    const worker = new TaskWorker({
      keeper: null,
      database: view,
      log: silentLog,
      gauge: new LoadGauge(this.clock),
      workerId: view.name,
      concurrency,
      timing: leaseTiming(ttlMs),
      drainMs: 5000,
      ports: {
        modelFor: () => model,
        workspaceOf: () => noFiles,
        ...plainPorts,
        taskTools: () => Promise.resolve({ skills: noSkills, connectorTools: [] }),
        toolbox: createToolbox([noteTool('read', 'retry', () => 'x')], silentLog),
        deltas: view.deltas,
        clock: view,
        chance: () => this.#chance.next(),
      },
    });
    this.#processes.push({ view, worker, inCall });
    await worker.start();
  }

  /** Two to six steps of their own length; a poisonous task ends its worker in each. */
  #makeModel(view: ProcessView, inCall: Set<string>): Model {
    return {
      name: 'test/storm',
      window: 100_000,
      outputLimit: 8000,
      price: { input: 0, output: 0 },
      call: async ({ transcript }, { signal }) => {
        const [first] = transcript;
        const text = first?.role === 'user' ? first.text : '';
        inCall.add(text);
        await pause(this.clock, 200 + this.#chance.below(this.#longestStepMs), signal);
        signal.throwIfAborted();
        if (text.startsWith(poison)) {
          void this.#end(view, text);
          await new Promise(() => undefined);
        }
        inCall.delete(text);
        const steps = this.#steps.get(text) ?? 2 + this.#chance.below(5);
        this.#steps.set(text, steps);
        const usage = { input: 1, output: 1, cached: 0 };
        return transcript.length >= steps * 2 ? say('Done.') : { ...reply(call('read', `c${transcript.length}`)), usage };
      },
    };
  }

  /** The death of a process, and a new one soon after it. */
  async #end(view: ProcessView, culprit: string | null): Promise<void> {
    const process = this.#processes.find((one) => one.view === view);
    if (!process) return;
    this.#processes = this.#processes.filter((one) => one !== process);
    view.kill();
    const harmed = [...process.inCall].filter((text) => text !== culprit);
    this.deaths.push({ culprit, atMs: this.clock.monotonic(), harmed });
    await pause(this.clock, restartMs);
    await this.#startProcess();
  }

  killOne(): void {
    const process = this.#chance.pick(this.#processes);
    if (process) void this.#end(process.view, null);
  }

  async create(text: string): Promise<StormTask> {
    const accountId = `account ${this.#chance.below(8)}`;
    const sample = sampleTask(accountId, { message: { type: 'user_message', text, kind: 'text' }, now: this.clock.now() });
    await this.#database.run(createTask, sample);
    this.publish(null, { topic: 'due' });
    return { taskId: sample.taskId, text };
  }

  /** How tasks ended: the kind of their error, or their status. */
  async readEnds(): Promise<Map<string, string>> {
    const ends = new Map<string, string>();
    for (const row of this.#database.query('SELECT account_id, id, status FROM tasks')) {
      const [accountId, taskId] = [String(row.account_id), String(row.id)];
      const log = await this.#database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 1000 });
      const failure = log.findLast(({ event }) => event.type === 'error')?.event;
      ends.set(taskId, failure?.type === 'error' ? failure.errorType : String(row.status));
    }
    return ends;
  }

  /** Lets time pass until no task is running, or until this much time has passed. */
  async settle(limitMs: number): Promise<void> {
    const isRunning = () => this.#database.query("SELECT id FROM tasks WHERE status = 'running' LIMIT 1").length > 0;
    const until = this.clock.monotonic() + limitMs;
    while (isRunning() && this.clock.monotonic() < until) await this.clock.advance(1000);
  }
}
