import type { Clock, Timer } from '@errand/base/clock.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import { CodeSession } from '@errand/sandbox/code-session';
import type { CodeLanguage, Connection, Sandbox } from '@errand/sandbox';
import { PersistentSandbox, type PersistentSandboxEnd, type PersistentSandboxOptions } from '@errand/sandbox/persistent-sandbox';
import type { Taint } from '../../rules/egress/trust.ts';
import type { RunningProcess } from '../../rules/events/running-process.ts';
import { previewTopic } from '../../rules/previews/preview-address.ts';
import type { TaskResource } from '../toolbox/task-resources.ts';
import type { BackgroundProcess } from './background-process.ts';
import { layerEnvironment } from './command-environment.ts';
import type { PreviewHost } from './preview-host.ts';

/** A sandbox in which nothing runs is not worth its memory for longer. */
const idleMs = 60_000;
/** Commands may be long; their beginning tells them apart. */
const longestTitle = 200;
/** Background processes of a task. */
const mostProcesses = 16;

/** The folder of the task's memory, and what the setup script of its project has made. */
export type SandboxMounts = Pick<PersistentSandboxOptions, 'memory' | 'layer'>;

export interface TaskSandboxParts {
  sandbox: Sandbox;
  clock: Clock;
  options: PersistentSandboxOptions;
  /** Receives the hosts that it connects to. */
  connectedHosts: readonly string[];
  taskId: string;
  /** Where people look at its servers; null for nowhere. */
  channel: Broadcast | null;
}

/** The sandbox in which commands, background processes and sessions of one task run, opened when the first of them begins. */
export class TaskSandbox implements TaskResource {
  readonly #parts: TaskSandboxParts;
  readonly #processes = new Map<string, BackgroundProcess>();
  readonly #sessions = new Map<CodeLanguage, CodeSession>();
  readonly #endPreviews: () => void;
  #previews: Promise<PreviewHost> | null = null;
  #sandbox: Promise<PersistentSandbox> | null = null;
  #idle: Timer | null = null;
  #users = 0;
  #lastNumber = 0;

  constructor(parts: TaskSandboxParts) {
    this.#parts = parts;
    const { channel, taskId } = parts;
    this.#endPreviews = channel?.subscribe(previewTopic(taskId), (text) => void this.#receive(text)) ?? (() => undefined);
  }

  /** The hosts that it has connected to so far. */
  get connectedHosts(): readonly string[] {
    return this.#parts.connectedHosts;
  }

  /** Runs one call. A process that has ended since is started again, with what is to be mounted now. */
  async use<Result>(
    signal: AbortSignal,
    mounts: SandboxMounts,
    work: (sandbox: PersistentSandbox) => Promise<Result>,
  ): Promise<Result> {
    this.#idle?.cancel();
    this.#users += 1;
    try {
      return await work(await this.#open(signal, mounts));
    } finally {
      this.#users -= 1;
      this.#watchIdle();
    }
  }

  async #open(signal: AbortSignal, mounts: SandboxMounts): Promise<PersistentSandbox> {
    const known = await this.#sandbox?.catch(() => null);
    if (known?.isOpen === true) return known;
    const { sandbox, options } = this.#parts;
    const env = { ...options.env, ...(mounts.layer !== undefined && layerEnvironment) };
    const opening = PersistentSandbox.open(sandbox, { ...options, ...mounts, env }, signal);
    this.#sandbox = opening;
    return opening;
  }

  /** A connection to what listens on a port of it; null if it is not open. Unlike a call, it does not keep it open. */
  async connect(port: number): Promise<Connection | null> {
    const sandbox = await this.#sandbox?.catch(() => null);
    return sandbox?.isOpen === true ? sandbox.connect(port) : null;
  }

  /** The ports at which programs in it listen; none if nothing runs. */
  async listPorts(): Promise<number[]> {
    if (this.#users === 0 && this.list().length === 0) return [];
    const sandbox = await this.#sandbox?.catch(() => null);
    if (sandbox?.isOpen !== true) return [];
    const { listServedPorts } = await import('./served-ports.ts');
    return listServedPorts(sandbox, this.#parts.clock);
  }

  /** What answers is loaded with the first who looks. */
  async #receive(text: string): Promise<void> {
    const { channel, clock } = this.#parts;
    if (channel === null) return;
    this.#previews ??= import('./preview-host.ts').then(({ PreviewHost }) => new PreviewHost({ channel, clock, sandbox: this }));
    (await this.#previews).receive(text);
  }

  /** Keeps what a process writes from now on, under a new name. */
  adopt(title: string, process: BackgroundProcess): string {
    for (const [id, { isOver, isRead }] of this.#processes) if (isOver && isRead) this.#processes.delete(id);
    const id = `p${++this.#lastNumber}`;
    process.title = title;
    this.#processes.set(id, process);
    return id;
  }

  /** Whether another background process may begin. */
  get canAdopt(): boolean {
    return [...this.#processes.values()].filter(({ isOver }) => !isOver).length < mostProcesses;
  }

  find(id: string): BackgroundProcess | null {
    return this.#processes.get(id) ?? null;
  }

  /** The session of a language; a new one if the old one is over or is to be replaced. */
  async session(sandbox: PersistentSandbox, language: CodeLanguage, isFresh: boolean): Promise<CodeSession> {
    const known = this.#sessions.get(language);
    if (known && !known.isOver && !isFresh) return known;
    known?.kill();
    const session = await CodeSession.start(sandbox, language);
    this.#sessions.set(language, session);
    return session;
  }

  list(): RunningProcess[] {
    return this.#list(({ isOver }) => !isOver);
  }

  listKnown(): RunningProcess[] {
    return this.#list(() => true);
  }

  #list(accept: (one: { isOver: boolean }) => boolean): RunningProcess[] {
    const processes = [...this.#processes].filter(([, one]) => accept(one));
    const sessions = [...this.#sessions].filter(([, one]) => accept(one));
    return [
      ...processes.map(([id, { title }]): RunningProcess => ({ id, kind: 'process', title: title.slice(0, longestTitle) })),
      ...sessions.map(([language]): RunningProcess => ({ id: language, kind: language, title: '' })),
    ];
  }

  /** What it has read from the network may be in anything that it writes. */
  taints(): readonly Taint[] {
    return this.#parts.connectedHosts.length > 0 ? ['untrusted'] : [];
  }

  /** Ends all of it, and says why it ended. */
  async end(): Promise<PersistentSandboxEnd | null> {
    const sandbox = await this.#sandbox?.catch(() => null);
    await sandbox?.close();
    return (await sandbox?.ended) ?? null;
  }

  async close(): Promise<void> {
    this.#idle?.cancel();
    this.#endPreviews();
    void this.#previews?.then((previews) => previews.close());
    await this.end();
  }

  #watchIdle(): void {
    if (this.#users > 0 || this.list().length > 0) return;
    this.#idle = this.#parts.clock.setTimer(() => {
      if (this.#users === 0 && this.list().length === 0) void this.end();
    }, idleMs);
  }
}
