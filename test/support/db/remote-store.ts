import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StoreOperation } from '../../../src/store/db/store-operation.ts';
import { compiledCode } from '../process/compiled-code.ts';
import { guardProcess, releaseProcess } from '../process/leftovers.ts';

/** Asks a process to run an operation of the store. */
export interface RemoteCall {
  id: number;
  name: string;
  args: unknown;
}

/** What became of it: its result, or its error as a text. */
export interface RemoteReply {
  id: number;
  result?: unknown;
  error?: string;
}

const script = fileURLToPath(new URL('./remote-store-process.ts', import.meta.url));

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

function hasEnded(): Error {
  return new Error('the process of the store has ended');
}

/** The store of another process on the same PostgreSQL database. */
export class RemoteStore {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply: RemoteReply) => this.#receive(reply));
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(hasEnded());
      this.#waiting.clear();
    });
  }

  static async start(url: string): Promise<RemoteStore> {
    const child = fork(script, [url], { env: compiledCode, execArgv: [], serialization: 'advanced', detached: true });
    const { pid } = child;
    if (pid !== undefined) {
      guardProcess(pid);
      child.once('exit', () => releaseProcess(pid));
    }
    await once(child, 'message');
    return new RemoteStore(child);
  }

  run<Args, Result>({ name }: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    this.#lastId += 1;
    const call: RemoteCall = { id: this.#lastId, name, args };
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(call.id, { resolve: (result) => resolve(result as Result), reject });
      // A process that was killed a moment ago may still look alive; without a callback, its broken pipe would end this process.
      this.#child.send(call, (error) => {
        if (error && this.#waiting.delete(call.id)) reject(hasEnded());
      });
    });
  }

  /** Kills it, whatever it is at; resolves once it is gone. Calls without an answer reject. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  #receive({ id, result, error }: RemoteReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }
}
