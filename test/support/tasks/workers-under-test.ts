import { LocalDeltas } from '@errand/base/signals/deltas.ts';
import { Fault } from '@errand/base/fault.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { silentLog } from '@errand/base/log.ts';
import type { AgentPorts } from '../../../src/agent/agent-ports.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { readLog } from '../../../src/store/events/events.ts';
import { createTask, getTask } from '../../../src/store/tasks/tasks.ts';
import type { Tool } from '../../../src/tools/toolbox/tool.ts';
import { noSkills } from '../../../src/tools/skills/task-skills.ts';
import { createToolbox } from '../../../src/tools/toolbox/toolbox.ts';
import { leaseTiming } from '../../../src/work/tasks/lease-keeper.ts';
import { createSubtaskService } from '../../../src/work/tasks/subtask-service.ts';
import { TaskWorker } from '../../../src/work/tasks/task-worker.ts';
import { plainPorts, noFiles, ScriptedModel, type Script } from './agent-under-test.ts';
import { MemoryDatabase } from '../db/memory-database.ts';
import { sampleTask } from '../db/store-samples.ts';
import { TestClock } from '../base/test-clock.ts';

export const ttlMs = 15_000;
export const drainMs = 8000;

/** Workers of several processes on one store, with a clock that stands still. */
export class WorkersOn<Store extends Database> {
  readonly clock: TestClock;
  readonly database: Store;
  readonly gauge: LoadGauge;
  readonly model: ScriptedModel;
  readonly #ports: AgentPorts;
  #count = 0;

  constructor(database: Store, clock: TestClock, script: Script, tools: readonly Tool[], changes: Partial<AgentPorts>) {
    this.clock = clock;
    this.database = database;
    this.gauge = new LoadGauge(clock);
    this.model = new ScriptedModel(script);
    this.#ports = {
      modelFor: () => this.model,
      workspaceOf: () => noFiles,
      ...plainPorts,
      taskTools: () => Promise.resolve({ skills: noSkills, connectorTools: [] }),
      toolbox: createToolbox(tools, silentLog),
      deltas: new LocalDeltas(),
      clock: this.clock,
      subtasks: createSubtaskService({
        database: this.database,
        clock: this.clock,
        keeper: null,
        demandFor: () => Promise.resolve(null),
      }),
      chance: () => 0.5,
      ...changes,
    };
  }

  makeWorker(concurrency: number): TaskWorker {
    this.#count += 1;
    return new TaskWorker({
      keeper: null,
      database: this.database,
      ports: this.#ports,
      log: silentLog,
      gauge: this.gauge,
      workerId: `w${this.#count}`,
      concurrency,
      timing: leaseTiming(ttlMs),
      drainMs,
    });
  }

  /** The ids of new tasks, whose message is their position in the list. */
  async create(accountId: string, count: number): Promise<string[]> {
    const samples = Array.from({ length: count }, (_, index) =>
      sampleTask(accountId, { message: { type: 'user_message', text: `${accountId} ${index}`, kind: 'text' } }),
    );
    for (const sample of samples) await this.database.run(createTask, sample);
    return samples.map(({ taskId }) => taskId);
  }

  async readStatus(accountId: string, taskId: string): Promise<string> {
    return (await this.database.run(getTask, { accountId, taskId })).status;
  }

  async readTypes(accountId: string, taskId: string): Promise<string[]> {
    return (await this.database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 1000 })).map(({ event }) => event.type);
  }
}

/** Workers on a store in memory, which a test can take away. */
export class WorkersUnderTest extends WorkersOn<MemoryDatabase> {
  constructor(script: Script, tools: readonly Tool[] = [], changes: Partial<AgentPorts> = {}) {
    const clock = new TestClock();
    super(new MemoryDatabase(clock), clock, script, tools, changes);
  }

  /** Every call fails from now on, as if the store were unreachable. */
  takeStoreAway(): void {
    this.database.interference.before = () => {
      throw new Fault('unavailable', 'The storage is temporarily unavailable; try again.');
    };
  }

  bringStoreBack(): void {
    this.database.interference = {};
  }
}
