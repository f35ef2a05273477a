import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { guardProcess, releaseProcess } from './leftovers.ts';
import { type OutputLine, OutputLines } from './output-lines.ts';

export type { OutputLine } from './output-lines.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  /** The complete environment; nothing of the test runner's own is added. */
  env: Record<string, string>;
  cwd: string;
  /** Another user and group to run as, for a caller running as root. */
  identity?: { uid: number; gid: number };
}

/** A child process of a test, in its own group, that cannot outlive the test run. */
export class Child {
  readonly pid: number;
  /** Resolves when it has ended and nothing holds its output open any more, so that `lines` is complete. */
  readonly ended: Promise<Exit>;
  readonly #process: ChildProcess;
  readonly #output: OutputLines;

  private constructor(child: ChildProcess & { stdout: Readable; stderr: Readable }, pid: number) {
    this.pid = pid;
    this.#process = child;
    this.#output = new OutputLines(`process ${pid} (${child.spawnargs.join(' ')})`);
    this.#collect('stdout', child.stdout);
    this.#collect('stderr', child.stderr);
    child.once('exit', () => releaseProcess(pid));
    this.ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }));
  }

  /** Resolves once the process runs; rejects with the system's error (EACCES, ENOENT) when it cannot. */
  static async start(command: string, args: readonly string[], { env, cwd, identity }: ChildOptions): Promise<Child> {
    const child = spawn(command, args, { env, cwd, ...identity, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      throw error;
    }
    guardProcess(child.pid);
    return new Child(child, child.pid);
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Sends a signal to the process alone; does nothing if it has ended. */
  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.#process.kill(name);
  }

  /** Everything it has written so far. */
  get lines(): readonly OutputLine[] {
    return this.#output.lines;
  }

  /** The first line, past or future, that matches; rejects when the process ends or is silent for minutes. */
  async waitForLine(matches: (line: OutputLine) => boolean): Promise<OutputLine> {
    const ended = this.ended.then(({ code, signal }) => String(signal ?? code));
    return this.#output.waitForLine(matches, ended);
  }

  #collect(source: OutputLine['source'], stream: Readable): void {
    createInterface({ input: stream }).on('line', (text) => this.#output.add({ source, text }));
  }
}
