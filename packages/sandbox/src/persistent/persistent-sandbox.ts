import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { Fault } from '@errand/base/fault.ts';
import type { Egress, Sandbox, SandboxLimits, SandboxResult } from '../sandbox.ts';
import { finishWithinQuota } from '../limits/workspace-size.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { SandboxProcess, type ProcessStart, type PersistentSandboxEnd } from './sandbox-process.ts';
import { type Channel, ChannelFolder, firstPipes } from './channels.ts';
import { PortBridge } from './port-bridge.ts';
import { shellFile, shellPath, shellScript, persistentSandboxScript } from './persistent-sandbox-script.ts';

export { shellFolderFile } from './persistent-sandbox-script.ts';
export type { SandboxProcess, ProcessStart, ProcessEnd, PersistentSandboxEnd } from './sandbox-process.ts';

/** What is started for a shell command, whose shell begins as the one of the command before ended. */
export function shellCommand(command: string): string[] {
  return [`BASH_ENV=${shellPath}`, 'bash', '--norc', '-c', command];
}

/** Tasks may run longer; their sandbox is then replaced. */
const longestMs = 24 * 60 * 60_000;
/** The most processes that a persistent sandbox runs at the same time; it refuses to start another. */
export const mostProcesses = 32;
/** Longer than any line of the script inside; a longer line does not come from the script. */
const longestLine = 4096;

export interface PersistentSandboxOptions {
  workspace: Pick<Workspace, 'root' | 'quota'>;
  env?: Readonly<Record<string, string>>;
  egress?: Egress;
  /** See `SandboxCommand`. */
  layer?: string;
  /** The folder of the task's memory. */
  memory?: string;
  limits?: Partial<SandboxLimits>;
}

/**
 * A sandbox for several processes, which share its namespaces, its limits and its /tmp, and live until they are ended or it is closed.
 * Nothing of it outlives the service (see `Sandbox.run`).
 */
export class PersistentSandbox {
  /** Settles when the sandbox has ended completely. */
  readonly ended: Promise<PersistentSandboxEnd>;
  readonly #folder: ChannelFolder;
  readonly #over = new AbortController();
  readonly #workspace: PersistentSandboxOptions['workspace'];
  readonly #processes = new Map<number, SandboxProcess>();
  #input: Writable | null = null;
  #bridge: Promise<PortBridge> | null = null;
  #lastId = 0;
  #line = '';

  private constructor(
    sandbox: Pick<Sandbox, 'run'>,
    folder: ChannelFolder,
    options: PersistentSandboxOptions,
    begun: () => void,
  ) {
    this.#folder = folder;
    this.#workspace = options.workspace;
    const { limits, ...wanted } = options;
    const running = sandbox.run({
      ...wanted,
      command: persistentSandboxScript,
      isPersistent: true,
      library: folder.path,
      pipes: firstPipes,
      limits: { ...limits, wallMs: longestMs },
      talk: {
        begin: (input) => {
          this.#input = input;
          input.on('error', () => undefined);
          begun();
        },
        receive: (chunk) => this.#receive(chunk.toString('latin1')),
      },
      signal: this.#over.signal,
    });
    this.ended = this.#finish(running);
  }

  /** Starts a persistent sandbox; rejects like `Sandbox.run`. */
  static async open(
    sandbox: Pick<Sandbox, 'run'>,
    options: PersistentSandboxOptions,
    signal: AbortSignal,
  ): Promise<PersistentSandbox> {
    signal.throwIfAborted();
    const folder = await ChannelFolder.create();
    let begun: () => void = () => undefined;
    const beginning = new Promise<'begun'>((resolve) => (begun = () => resolve('begun')));
    // Meanwhile, because it is first read by the first command.
    const writing = folder.write(shellFile, shellScript);
    writing.catch(() => undefined);
    const opened = new PersistentSandbox(sandbox, folder, options, begun);
    const abort = () => void opened.close();
    signal.addEventListener('abort', abort, { once: true });
    const outcome = await Promise.race([beginning, opened.ended]);
    signal.removeEventListener('abort', abort);
    signal.throwIfAborted();
    if (outcome === 'begun') {
      await writing.catch((error: unknown) => opened.close().then(() => Promise.reject(error)));
      return opened;
    }
    throw new Fault('unavailable', 'The command could not be run. Try again later.', { detail: `persistent sandbox ${outcome}` });
  }

  get isOpen(): boolean {
    return !this.#over.signal.aborted;
  }

  /** Starts a process in a process group of its own. */
  async start(wanted: ProcessStart): Promise<SandboxProcess> {
    if (this.#processes.size >= mostProcesses) {
      throw new Fault('resource_exhausted', `At most ${mostProcesses} processes can run at the same time; end one first.`);
    }
    await this.#workspace.quota?.prepare();
    const id = ++this.#lastId;
    const channel = await this.#folder.open();
    const process = new SandboxProcess(channel, wanted, {
      signal: (name, group) => this.#send(`signal ${name} ${group}`),
      onClose: () => this.#release(id, channel),
    });
    this.#processes.set(id, process);
    await this.#folder.write(`${id}.argv`, wanted.command.map((part) => `${part}\0`).join(''));
    if (!this.isOpen) process.lose('closed');
    this.#send(`start ${id} ${channel.name} ${wanted.input ?? 'none'}`);
    return process;
  }

  /** Measures the workspace for its quota, which a quick process exceeds between two looks; false if it is too large. */
  finishWithinQuota(): Promise<boolean> {
    return finishWithinQuota(this.#workspace);
  }

  /** Writes a file into the library folder, where the processes see it. */
  writeFile(name: string, content: string): Promise<void> {
    return this.#folder.write(name, content);
  }

  removeFile(name: string): Promise<void> {
    return this.#folder.remove(name);
  }

  /** A connection to a program in it that listens on a port of its loopback; rejects with `NothingListens`. */
  async connect(port: number): Promise<Socket> {
    this.#bridge ??= PortBridge.open(this, this.#folder.path);
    const opening = this.#bridge;
    const bridge = await opening.catch((error: unknown) => {
      this.#bridge = null;
      throw error;
    });
    if (!bridge.isOver) return bridge.connect(port);
    if (this.#bridge === opening) this.#bridge = null;
    return this.connect(port);
  }

  /** Ends the sandbox with everything in it. */
  async close(): Promise<void> {
    this.#over.abort(new Error('the sandbox was closed'));
    await this.ended;
  }

  #send(line: string): void {
    if (this.#input?.writable === true) this.#input.write(`${line}\n`);
  }

  #release(id: number, channel: Channel): void {
    this.#processes.delete(id);
    void this.#folder.remove(`${id}.argv`).catch(() => undefined);
    channel.close();
    if (this.isOpen) this.#folder.reuse(channel);
  }

  #receive(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    // Programs in it can write here too. They reach only what is their own: a report about another of its processes.
    if (this.#line.length > longestLine) this.#over.abort(new Error('the sandbox is out of order'));
    for (const line of lines) {
      const [verb, id, first, second] = line.split(' ');
      const process = this.#processes.get(Number(id));
      if (verb === 'started') process?.begin(Number(first));
      if (verb === 'ended') process?.end(Number(first), Number(second));
    }
  }

  async #finish(running: Promise<SandboxResult>): Promise<PersistentSandboxEnd> {
    const end = await running.then(
      (result): PersistentSandboxEnd => (result.end === 'exit' ? 'failed' : result.end),
      (): PersistentSandboxEnd => (this.isOpen ? 'failed' : 'closed'),
    );
    this.#over.abort(new Error('the sandbox has ended'));
    for (const process of [...this.#processes.values()]) process.lose(end);
    await this.#folder.close();
    return end;
  }
}
