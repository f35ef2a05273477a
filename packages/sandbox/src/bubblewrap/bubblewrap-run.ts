import { basename, dirname } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { SafeConnect } from '@errand/base/net/safe-connect.ts';
import { buildArguments, shell } from './bubblewrap-arguments.ts';
import { BubblewrapProcess } from './bubblewrap-process.ts';
import { openEgressGate } from '../egress/egress-gate.ts';
import { HeldFolder } from '../workspace/held-folder.ts';
import { planLaunch } from './bubblewrap-launcher.ts';
import { collectOutput } from './command-output.ts';
import {
  defaultLimits,
  type MemoryLimit,
  type SandboxCommand,
  type SandboxEnd,
  type SandboxLimits,
  type SandboxResult,
} from '../sandbox.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';
import type { SandboxUser } from '../workspace/sandbox-user.ts';
import { workspaceMount } from '../workspace/workspace-path.ts';
import { limitByKernel } from '../limits/sandbox-cgroup.ts';
import { finishWithinQuota, type Watched, watchSandbox } from '../limits/sandbox-watch.ts';
import type { UsageMeter } from '../limits/resource-meter.ts';

/** Settings shared by all commands on this machine. */
export interface Ground {
  clock: Clock;
  /** Bubblewrap, by name or path. */
  program: string;
  /** The Node that runs code. */
  nodeFile: string;
  systemMounts: readonly string[];
  filter: Buffer;
  user: SandboxUser | null;
  meter: UsageMeter;
  memoryLimit: MemoryLimit;
  log: Log;
  /** Network access for commands that may have it. */
  connect: SafeConnect;
}

function notRun(detail: string, cause?: unknown): Fault {
  return new Fault('unavailable', 'The command could not be run. Try again later.', { detail, cause });
}

function notMeasured(cause: unknown): Fault {
  const text =
    'The command was ended because the memory and files of its sandbox could not be measured. ' +
    'Make all folders accessible (chmod -R u+rwX .) or remove them, then try again.';
  return new Fault('unavailable', text, { detail: String(cause), cause });
}

/** A running command, and what can end it early. */
class Run {
  readonly #bubblewrap: BubblewrapProcess;
  readonly #over = new AbortController();
  #end: SandboxEnd = 'exit';
  #failure: unknown;

  constructor(bubblewrap: BubblewrapProcess) {
    this.#bubblewrap = bubblewrap;
  }

  /** Ends the run because it exceeded a limit; the first reason counts. */
  cut(reason: SandboxEnd): void {
    if (this.#end !== 'exit') return;
    this.#end = reason;
    this.stop();
  }

  stop(): void {
    this.#bubblewrap.kill();
  }

  /** Settles when all processes are gone; `end` says why, and the exit code is set if there was one. */
  async finish(
    ground: Ground,
    { stdin = '', talk, workspace, egress, isPersistent = false }: SandboxCommand,
    { folder, memory }: Pick<Watched, 'folder' | 'memory'>,
    limits: SandboxLimits,
  ) {
    const pid = await this.#bubblewrap.ready;
    const group = pid === null ? null : limitByKernel(ground, pid, limits.memoryBytes);
    // The first process starts the forwarder first, and then the command.
    const kept = (egress ? 1 : 0) + (isPersistent ? 1 : 0);
    const watching = pid === null ? null : this.#watch(ground, { pid, folder, memory, limits, quota: workspace.quota, kept });
    if (pid !== null) this.#bubblewrap.begin(stdin, talk?.begin);
    const exitCode = await this.#bubblewrap.ended;
    this.#over.abort();
    await watching;
    const { quota } = workspace;
    if (quota && !(await finishWithinQuota(ground.meter, folder, limits, quota))) this.cut('disk');
    if (group?.hasExceededMemory() === true) this.cut('memory');
    group?.close();
    if (this.#failure !== undefined) throw notMeasured(this.#failure);
    return { exitCode, end: this.#end };
  }

  /** Watches the sandbox; if monitoring fails, the sandbox is ended. */
  async #watch(ground: Ground, watched: Watched): Promise<void> {
    try {
      await watchSandbox(ground, watched, this.#over.signal, (reason) => this.cut(reason));
    } catch (error) {
      ground.log.error({ err: error }, 'a sandbox could not be measured; its command is ended');
      this.#failure = error;
      this.#bubblewrap.kill();
    }
  }
}

function launch(ground: Ground, wanted: SandboxCommand, limits: SandboxLimits, egress: string | null): BubblewrapProcess {
  const { workspace, workspaceAt, command, env = {}, stdin = '', talk, mergesOutput = false, isPersistent = false } = wanted;
  const { library = null, layer = null, fonts = null, memory = null, pipes = [] } = wanted;
  const { user, nodeFile, systemMounts, program, filter } = ground;
  const { prefix, sources } = planLaunch({
    user,
    sources: { workspace: workspace.root, nodeFile, egress, library, layer, fonts, memory },
    pipes,
    output: isPersistent ? 'sockets' : mergesOutput ? 'merged pipe' : 'pipes',
  });
  const argv = typeof command === 'string' && !isPersistent ? [...shell, command] : [command].flat();
  const args = buildArguments({
    systemMounts,
    sources,
    ...(workspaceAt && { workspaceAt }),
    command: argv,
    isPersistent,
    env,
    hasInput: stdin.length > 0 || talk !== undefined,
    limits,
  });
  try {
    return new BubblewrapProcess([...prefix, program, ...args], filter);
  } catch (error) {
    throw notRun(error instanceof Error ? error.message : String(error), error);
  }
}

/** Ends the run on abort or timeout while `work` is in progress. */
async function whileEndable<Result>(
  run: Run,
  { clock, signal, wallMs }: { clock: Clock; signal: AbortSignal; wallMs: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const stop = () => run.stop();
  const timer = clock.setTimer(() => run.cut('time'), wallMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await work();
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** Captured standard output and standard error; output passed to `receive` is not kept. */
function listen(
  { outputs }: BubblewrapProcess,
  { talk, onOutput }: SandboxCommand,
  { outputBytes: limitBytes }: SandboxLimits,
  exceed: () => void,
): () => Buffer[] {
  if (!talk) return collectOutput(outputs, { limitBytes, exceed, show: (chunk) => onOutput?.(chunk) });
  outputs[0]?.on('data', (chunk: Buffer) => talk.receive(chunk));
  const readErrors = collectOutput(outputs.slice(1), { limitBytes, exceed: () => undefined, show: () => undefined });
  return () => [Buffer.alloc(0), ...readErrors()];
}

/**
 * Creates the home folder, so that no program has to be started for it inside. If something else has the name, it is left to the command.
 */
async function makeHome(folder: HeldFolder, { HOME = '' }: SandboxCommand['env'] = {}): Promise<void> {
  const name = dirname(HOME) === workspaceMount ? basename(HOME) : '';
  if (name === '') return;
  try {
    await using _ = await folder.enterOrMake(name, 'lost in a crash');
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** Runs one command in its own namespaces (see `Sandbox.run`). */
export async function runCommand(ground: Ground, command: SandboxCommand): Promise<SandboxResult> {
  const { signal } = command;
  const { quota } = command.workspace;
  const size = quota && { workspaceBytes: quota.limit.bytes, workspaceEntries: quota.limit.entries };
  const limits = { ...defaultLimits, ...size, ...command.limits };
  signal.throwIfAborted();
  await using folder = await HeldFolder.holdOrMake(command.workspace.root);
  await using memory = command.memory === undefined ? null : await HeldFolder.holdOrMake(command.memory);
  await makeHome(folder, command.env);
  using _ = await quota?.hold();
  await using gate = command.egress ? await openEgressGate(ground.connect, command.egress) : null;
  const bubblewrap = launch(ground, command, limits, gate?.folder ?? null);
  const run = new Run(bubblewrap);
  const readOutput = listen(bubblewrap, command, limits, () => run.cut('output'));
  const ends = { clock: ground.clock, signal, wallMs: limits.wallMs };
  const held = { folder: folder.descriptor, memory: memory?.descriptor };
  const { exitCode, end } = await whileEndable(run, ends, () => run.finish(ground, command, held, limits));
  signal.throwIfAborted();
  const [stdout = Buffer.alloc(0), stderr = Buffer.alloc(0)] = readOutput();
  if (exitCode === null && end === 'exit') throw notRun(Buffer.concat([stdout, stderr]).toString());
  return { end, exitCode: end === 'exit' ? exitCode : null, stdout, stderr };
}
