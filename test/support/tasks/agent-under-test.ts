import type { TranscriptEntry } from '../../../src/rules/context/transcript.ts';
import { z } from 'zod';
import { driveTask } from '../../../src/agent/drive.ts';
import type { AgentPorts, TaskFacts } from '../../../src/agent/agent-ports.ts';
import { LocalDeltas } from '@errand/base/signals/deltas.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Model, ModelCallOptions, ModelReply, ModelRequest } from '../../../src/models/model.ts';
import type { TaskConfig, ModelPart, TaskEvent, UserMessage } from '../../../src/rules/events/task-event.ts';
import { emptyState, foldAll } from '../../../src/rules/tasks/task-state.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { ClaimedTask } from '../../../src/store/tasks/claims/task-claims.ts';
import { readLog } from '../../../src/store/events/events.ts';
import { createTask, getTask, messageTask, stopTask } from '../../../src/store/tasks/tasks.ts';
import { askUser } from '../../../src/tools/tasks/ask-user.ts';
import {
  defineTool,
  type TaskSkills,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolOutcome,
} from '../../../src/tools/toolbox/tool.ts';
import { noSkills } from '../../../src/tools/skills/task-skills.ts';
import { TaskResources } from '../../../src/tools/toolbox/task-resources.ts';
import { createToolbox } from '../../../src/tools/toolbox/toolbox.ts';
import { updatePlan } from '../../../src/tools/tasks/update-plan.ts';
import { catchUp } from '../../../src/work/tasks/task-folding.ts';
import { LeasedRows } from '../../../src/work/tasks/leased-rows.ts';
import { TaskJournal } from '../../../src/work/tasks/task-journal.ts';
import { MemoryDatabase } from '../db/memory-database.ts';
import { plainPorts } from './plain-ports.ts';
import { claim, nextMs, sampleTask, usage } from '../db/store-samples.ts';
import { TestClock } from '../base/test-clock.ts';

/** The model's next reply; it sees what a real one would. */
export type Script = (request: ModelRequest, options: ModelCallOptions) => Promise<ModelReply> | ModelReply;

/** A model in memory that records every request. */
export class ScriptedModel implements Model {
  readonly name = 'test/scripted';
  readonly window: number;
  readonly outputLimit = 8000;
  readonly price = { input: 1, output: 1 };
  readonly requests: ModelRequest[] = [];
  /** Replies at once from the script; present in instant mode. */
  readonly replyAtOnce?: NonNullable<Model['replyAtOnce']>;
  readonly #script: Script;

  constructor(script: Script, window = 100_000, isInstant = false) {
    this.#script = script;
    this.window = window;
    if (!isInstant) return;
    this.replyAtOnce = (request, onText) => {
      this.requests.push(structuredClone(request));
      const made = script(request, { signal: new AbortController().signal, onText });
      return made instanceof Promise ? null : made;
    };
  }

  async call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply> {
    options.signal.throwIfAborted();
    this.requests.push(structuredClone(request));
    return this.#script(request, options);
  }
}

export function reply(...parts: ModelPart[]): ModelReply {
  return { parts, usage };
}

export function say(text: string): ModelReply {
  return reply({ type: 'text', text });
}

export function call(tool: string, id: string, input: unknown = {}): ModelPart {
  return { type: 'call', id, tool, input };
}

/** A model that gives scripted replies in order; its position is derived from the conversation, so it survives crashes. */
export function inTurn(...replies: readonly (ModelReply | ((request: ModelRequest) => ModelReply))[]): Script {
  return (request) => {
    const done = request.transcript.filter(({ role }) => role === 'assistant').length;
    const next = replies[done] ?? say('Nothing left to say.');
    return typeof next === 'function' ? next(request) : next;
  };
}

export const noFiles: Workspace = {
  root: '/nowhere',
  read: () => Promise.reject(new Error('no files here')),
  stream: () => {
    throw new Error('no files here');
  },
  readStart: () => Promise.reject(new Error('no files here')),
  hold: () => Promise.reject(new Error('no files here')),
  write: () => Promise.resolve(),
  receive: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  list: () => Promise.resolve([]),
};

export { plainPorts };

const keptWorkspace = { ready: () => Promise.resolve('kept' as const) };

/** A tool without parameters. */
export function plainTool(name: string, effect: ToolEffect, run: (context: ToolContext) => Promise<ToolOutcome>): Tool {
  return defineTool({
    name,
    description: name,
    input: z.object({}),
    effect,
    summarize: () => ({ brief: name, action: name, param: '' }),
    run: (_, context) => run(context),
  });
}

/** A tool that records each of its runs. */
export function noteTool(
  name: string,
  effect: ToolEffect,
  run: (callId: string, signal: AbortSignal) => Promise<string> | string,
): Tool {
  return plainTool(name, effect, async ({ callId, signal }) => ({ status: 'success', output: await run(callId, signal) }));
}

export interface AgentOptions {
  script: Script;
  /** Context window of the model, in tokens. */
  window?: number;
  /** Whether the model's calls are logged with their replies. */
  isInstant?: boolean;
  tools?: readonly Tool[];
  isInteractive?: boolean;
  skills?: TaskSkills;
  connectorTools?: readonly { tool: Tool; hash: string }[];
  taskConfig?: TaskConfig;
  outputSchema?: Record<string, unknown>;
}

/** One task on the real store, driven by the real agent, with a clock that stands still. */
export class AgentUnderTest {
  readonly clock = new TestClock();
  readonly database = new MemoryDatabase(this.clock);
  readonly deltas = new LocalDeltas();
  readonly model: ScriptedModel;
  readonly ports: AgentPorts;
  readonly task: { accountId: string; taskId: string };
  /** The tools of its connectors from the next turn on. */
  connectorTools: readonly { tool: Tool; hash: string }[];
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.connectorTools = options.connectorTools ?? [];
    this.model = new ScriptedModel(options.script, options.window, options.isInstant);
    this.task = { accountId: 'a1', taskId: newId(nextMs()) };
    this.ports = {
      modelFor: () => this.model,
      workspaceOf: () => noFiles,
      ...plainPorts,
      taskTools: () => Promise.resolve({ skills: options.skills ?? noSkills, connectorTools: this.connectorTools }),
      toolbox: createToolbox([askUser, updatePlan, ...(options.tools ?? [])], silentLog),
      deltas: this.deltas,
      clock: this.clock,
      chance: () => 0.5,
    };
  }

  async create(text = 'Do it.'): Promise<this> {
    const { outputSchema, taskConfig = {}, isInteractive = false } = this.#options;
    const message: UserMessage = { type: 'user_message', text, kind: 'text', ...(outputSchema && { outputSchema }) };
    await this.database.run(createTask, sampleTask('a1', { taskId: this.task.taskId, isInteractive, taskConfig, message }));
    return this;
  }

  async take(): Promise<ClaimedTask> {
    const take = () => claim(this.database, { ttlMs: 1_000_000_000 });
    let [task] = await take();
    if (!task) {
      // After three dead workers it pauses before each further run.
      this.clock.jump(600_000);
      [task] = await take();
    }
    if (!task) throw new Error('the task is not due');
    return task;
  }

  async openJournal(lease: ClaimedTask, release = new AbortController()): Promise<TaskJournal> {
    const state = await catchUp(this.database, lease, emptyState);
    return new TaskJournal({ database: this.database, clock: this.clock, lease, state, release });
  }

  /** Claims the task and drives it until it is idle; time advances whenever nothing else is left to do. */
  async drive(shouldYield: () => boolean = () => false): Promise<'idle' | 'suspended' | 'yielded'> {
    const lease = await this.take();
    const journal = await this.openJournal(lease);
    const { isInteractive, profile, locale, depth } = lease;
    const facts: TaskFacts = { ...this.task, isInteractive, profile, locale, depth };
    const resources = new TaskResources();
    const rows = new LeasedRows({ database: this.database, clock: this.clock, lease });
    const work = { task: facts, journal, ports: this.ports, workspace: keptWorkspace, resources, rows };
    const driving = driveTask(work, shouldYield).finally(() => {
      void resources.abandon();
      journal.close();
    });
    const progress = { isOver: false };
    const noteEnd = () => {
      progress.isOver = true;
    };
    driving.then(noteEnd, noteEnd);
    while (!progress.isOver) await this.clock.advance(this.clock.nextTimerMs ?? 0);
    return driving;
  }

  async say(text: string, changes: Partial<UserMessage> = {}): Promise<void> {
    const message: UserMessage = { type: 'user_message', text, kind: 'text', ...changes };
    await this.database.run(messageTask, { ...this.task, now: this.clock.now(), message, profile: null });
  }

  stop(): Promise<{ isStopped: boolean }> {
    return this.database.run(stopTask, { ...this.task, now: this.clock.now() });
  }

  async readEvents(): Promise<TaskEvent[]> {
    return (await this.database.run(readLog, { ...this.task, afterSeq: 0, limit: 5000 })).map(({ event }) => event);
  }

  async readTypes(): Promise<string[]> {
    return (await this.readEvents()).map(({ type }) => type);
  }

  async readTranscript(): Promise<readonly TranscriptEntry[]> {
    return foldAll(await this.database.run(readLog, { ...this.task, afterSeq: 0, limit: 5000 })).transcript;
  }

  async readStatus(): Promise<string> {
    return (await this.database.run(getTask, this.task)).status;
  }
}
