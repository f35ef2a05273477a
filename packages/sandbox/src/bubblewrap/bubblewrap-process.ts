import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { kill } from 'node:process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { descriptors, inventedFiles } from './bubblewrap-arguments.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';
import { launchEnvironment } from './bubblewrap-launcher.ts';
import { commandNice } from '../sandbox.ts';

/** The parent of a process, as reported by the kernel; null if it is gone. */
function readParent(pid: number | null): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The preceding name is in parentheses and can be anything.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** Acts on a process, ignoring that it may just have ended. */
function unlessGone(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

/** A bubblewrap process and the namespaces that live and die with it. */
export class BubblewrapProcess {
  /** The host pid of the sandbox's first process, as soon as it waits for `begin`; null if it never gets there. */
  readonly ready: Promise<number | null>;
  /** Resolves when no process of the sandbox is left: with its exit code, or null if it was killed or never started. */
  readonly ended: Promise<number | null>;
  /** Standard output and standard error; complete when it has ended. */
  readonly outputs: readonly Readable[];
  readonly #child: ChildProcess;
  /** Streams by descriptor. */
  readonly #streams: readonly Duplex[];
  #firstPid: number | null = null;
  #exitCode: number | null = null;

  /** Starts a command line that ends in bubblewrap, with the seccomp filter. Throws the system's error if it cannot be started. */
  constructor([program = '', ...args]: readonly string[], filter: Buffer) {
    this.#child = spawn(program, args, {
      env: launchEnvironment,
      cwd: '/',
      // A separate process group: an interrupt typed at the service's terminal is for the service only.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...Object.keys(descriptors).map(() => 'pipe' as const)],
    });
    // Node's types only know the first five, and make them optional.
    this.#streams = this.#child.stdio as unknown as readonly Duplex[];
    // A process that ends before everything is read or written makes a stream fail; its exit is what counts.
    for (const stream of this.#streams) stream.on('error', () => undefined);
    this.outputs = this.#streams.slice(1, 3);
    this.#feed(descriptors.filter, filter);
    for (const [name, text] of Object.entries(inventedFiles)) this.#feed(descriptors[name as keyof typeof inventedFiles], text);
    this.ended = this.#waitForEnd();
    this.ready = Promise.race([this.#readStatus(), this.ended.then(() => null)]);
  }

  /** Lets the command run, from now on with lower CPU priority than the service. */
  begin(stdin: string | Uint8Array, talk?: (input: Writable) => void): void {
    const first = this.#firstPid;
    if (first !== null) unlessGone(() => setPriority(first, commandNice.first));
    this.#child.stdin?.write('\n');
    if (talk && this.#child.stdin) talk(this.#child.stdin);
    else this.#child.stdin?.end(stdin);
  }

  /** Kills every process of the sandbox immediately by killing the first one. The wrapper then exits automatically. */
  kill(): void {
    this.#child.stdin?.destroy();
    const first = this.#firstPid;
    // While our child is its grandparent, the pid still belongs to the process we started.
    if (first !== null && readParent(readParent(first)) === this.#child.pid) unlessGone(() => kill(first, 'SIGKILL'));
    else this.#streams[descriptors.guard]?.destroy();
  }

  #feed(descriptor: number, content: string | Buffer): void {
    this.#streams[descriptor]?.end(content);
  }

  #waitForEnd(): Promise<number | null> {
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve(this.#exitCode));
      this.#child.on('error', () => this.#child.pid ?? resolve(null));
    });
  }

  /** Two lines of JSON: the pid of the first process, and the exit code of a command that ran. */
  #readStatus(): Promise<number> {
    const status = this.#streams[descriptors.status];
    // Only bubblewrap holds the other end: it has exited now, after its namespaces.
    status?.on('close', () => this.#feed(descriptors.guard, '.'));
    let text = '';
    return new Promise((resolve) => {
      status?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const pid = /"child-pid": (\d+)\D/.exec(text)?.[1];
        const exitCode = /"exit-code": (\d+)\D/.exec(text)?.[1];
        if (exitCode !== undefined) this.#exitCode = Number(exitCode);
        if (pid === undefined || this.#firstPid !== null) return;
        this.#firstPid = Number(pid);
        resolve(this.#firstPid);
      });
    });
  }
}
