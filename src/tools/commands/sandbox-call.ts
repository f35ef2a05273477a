import { StringDecoder } from 'node:string_decoder';
import { pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { NothingListens } from '@errand/sandbox/nothing-listens';
import { type Connection, defaultLimits, type SandboxEnd } from '@errand/sandbox';
import type { PersistentSandbox, PersistentSandboxEnd } from '@errand/sandbox/persistent-sandbox';
import { createCommandEgress } from './command-egress.ts';
import { commandEnvironment } from './command-environment.ts';
import { addEnding, explainEnd } from './command-outcome.ts';
import type { CommandParts } from './command-parts.ts';
import { logConnectedHost, nameCall } from './connected-hosts-log.ts';
import { TaskSandbox } from './task-sandbox.ts';
import type { TaskResources } from '../toolbox/task-resources.ts';
import type { ToolContext, ToolOutcome } from '../toolbox/tool.ts';

/** A killed process that is not gone after this takes its sandbox with it. */
const killMs = 2_000;

const sandboxName = 'sandbox';

/** A connection to what listens on a port of the task's sandbox; rejects with `NothingListens`. */
export async function connectToSandbox(resources: TaskResources, port: number): Promise<Connection> {
  const sandbox = resources.find(sandboxName);
  const socket = sandbox instanceof TaskSandbox ? await sandbox.connect(port) : null;
  if (socket) return socket;
  throw new NothingListens('no program runs in the sandbox of this task; start a server with run_shell in the background');
}

/** The sandbox of a task, for the tools that run commands and code. */
export function keepSandbox(parts: CommandParts, context: ToolContext): TaskSandbox {
  const { resources } = context;
  return resources.keep(sandboxName, () => {
    const connectedHosts: string[] = [];
    const guardOf = () => resources.guard ?? context.egressGuard;
    const egress = createCommandEgress(parts, guardOf, connectedHosts, logConnectedHost(parts.log, nameCall(context)));
    const env = commandEnvironment(parts.registries);
    const options = { workspace: context.workspace, env, ...(egress && { egress }) };
    const { sandbox, clock, channel = null } = parts;
    return new TaskSandbox({ sandbox, clock, options, connectedHosts, channel, taskId: context.taskId });
  });
}

/** What a call has written, shown to readers as it arrives and kept up to the limit of a command. */
export class CallOutput {
  /** Resolves when there is more than the limit. */
  readonly exceeded: Promise<'output'>;
  readonly #report: (text: string) => void;
  // A multi-byte character may be split over two chunks.
  readonly #decoder = new StringDecoder('utf8');
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #exceed: () => void = () => undefined;

  constructor(report: (text: string) => void) {
    this.#report = report;
    this.exceeded = new Promise((resolve) => (this.#exceed = () => resolve('output')));
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  receive(chunk: Buffer): void {
    const kept = chunk.subarray(0, defaultLimits.outputBytes - this.#bytes);
    this.#bytes += kept.length;
    if (kept.length > 0) {
      this.#chunks.push(kept);
      this.#report(this.#decoder.write(kept));
    }
    if (kept.length < chunk.length) this.#exceed();
  }
}

export interface SandboxCall {
  parts: CommandParts;
  context: ToolContext;
  task: TaskSandbox;
}

/**
 * Does something in the sandbox of a task. The end of the task ends all of it at once. What the sandbox has read from the network may be
 * in any file of it by then, so every later output is that of strangers.
 */
export async function callInSandbox(
  call: SandboxCall,
  work: (sandbox: PersistentSandbox) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { task, context } = call;
  const { signal } = context;
  const abort = () => void task.end();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const layer = await context.setup?.mount();
    const memory = await context.memory?.mount();
    const mounts = { ...(memory !== undefined && { memory }), ...(layer && { layer: layer.folder }) };
    const { outcome, isWithinQuota } = await task.use(signal, mounts, async (sandbox) => {
      const done = await work(sandbox);
      return { outcome: done, isWithinQuota: done.status !== 'success' || (await sandbox.finishWithinQuota()) };
    });
    signal.throwIfAborted();
    if (!isWithinQuota) {
      await task.end();
      return {
        ...outcome,
        status: 'error',
        output: addEnding(outcome.output, explainEnd('disk', 0, context.workspace.quota?.text)),
      };
    }
    const taints = layer?.isUntrusted === true ? (['untrusted'] as const) : task.taints();
    return { ...outcome, ...(taints.length > 0 && { taints }) };
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves with `late` after some seconds, unless the returned function is called before. */
export function startTimer<Late>({ parts }: SandboxCall, ms: number, late: Late): { late: Promise<Late>; cancel(): void } {
  const over = new AbortController();
  return { late: pause(parts.clock, ms, over.signal).then(() => late), cancel: () => over.abort() };
}

/** Waits until a killed process is gone, or else ends the sandbox with all that is in it. */
export async function waitForKilled(call: SandboxCall, gone: Promise<unknown>): Promise<void> {
  const timer = startTimer(call, killMs, 'late' as const);
  const first = await Promise.race([gone.then(() => 'gone' as const), timer.late]);
  timer.cancel();
  if (first === 'late') await call.task.end();
}

/** The result of a call that a limit has ended. */
export function describeCut(
  { context }: SandboxCall,
  end: Exclude<SandboxEnd, 'exit'>,
  timeoutS: number,
  text: string,
  more = '',
) {
  const ending = explainEnd(end, timeoutS, context.workspace.quota?.text);
  return { status: 'error' as const, output: addEnding(text, more === '' ? ending : `${ending}; ${more}`) };
}

/** The result of a call whose whole sandbox has ended. */
export function describeLostSandbox(call: SandboxCall, lost: PersistentSandboxEnd, text: string): ToolOutcome {
  call.context.signal.throwIfAborted();
  if (lost === 'memory' || lost === 'disk') {
    return describeCut(call, lost, 0, text, 'all processes and sessions of the sandbox have ended with it');
  }
  throw new Fault('unavailable', 'The sandbox ended, with all of its processes and sessions. Try again.', {
    detail: `the sandbox ended: ${lost}`,
  });
}
