import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { guardProcess, releaseProcess } from './leftovers.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface OutputLine {
  source: 'stdout' | 'stderr';
  text: string;
}

export interface ChildOptions {
  /** The whole environment; nothing of the test runner's own is added. */
  env: Record<string, string>;
  cwd: string;
  /** Another user and group to run as, for a caller who is root. */
  identity?: { uid: number; gid: number };
}

/** How long a line may be waited for: only a bound for a test that would hang. */
const patienceMs = 60_000;

/** A process of a test, in a group of its own, that cannot outlive the test run. */
export class Child {
  readonly pid: number;
  /** Everything it has written so far. */
  readonly lines: OutputLine[] = [];
  /** Resolves when it has ended and nothing holds its output open any more, so that `lines` is complete. */
  readonly ended: Promise<Exit>;
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(line: OutputLine) => void>();

  private constructor(child: ChildProcess & { stdout: Readable; stderr: Readable }, pid: number) {
    this.pid = pid;
    this.#process = child;
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

  /** Sends a signal to the process alone; one that has ended is left in peace. */
  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.#process.kill(name);
  }

  /** The first line, past or future, that matches; rejects when the process ends or stays silent for a minute. */
  async waitForLine(matches: (line: OutputLine) => boolean): Promise<OutputLine> {
    const present = this.lines.find(matches);
    if (present) return present;
    const { promise, resolve, reject } = Promise.withResolvers<OutputLine>();
    const listener = (line: OutputLine) => matches(line) && resolve(line);
    const deadline = setTimeout(() => reject(this.#failure('did not write the expected line in time')), patienceMs);
    this.#listeners.add(listener);
    void this.ended.then(({ code, signal }) => reject(this.#failure(`ended with ${signal ?? code}`)));
    return promise.finally(() => {
      clearTimeout(deadline);
      this.#listeners.delete(listener);
    });
  }

  #collect(source: OutputLine['source'], stream: Readable): void {
    createInterface({ input: stream }).on('line', (text) => {
      const line = { source, text };
      this.lines.push(line);
      for (const listener of this.#listeners) listener(line);
    });
  }

  #failure(what: string): Error {
    const tail = this.lines.slice(-30).map(({ source, text }) => `  ${source}: ${text}`);
    return new Error([`process ${this.pid} (${this.#process.spawnargs.join(' ')}) ${what}`, ...tail].join('\n'));
  }
}
