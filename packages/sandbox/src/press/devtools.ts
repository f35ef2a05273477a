import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { afterTime } from './deadline.ts';

/** A message of the browser; its content is checked where it is used. */
export type Reply = Record<string, unknown>;
type Listener = (event: Reply) => void;

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-zygote', '--disable-breakpad'],
  ...['--disable-background-networking', '--hide-scrollbars', '--mute-audio', '--no-first-run', '--remote-debugging-pipe'],
  ...['--disable-extensions', '--disable-sync', '--font-render-hinting=none', '--force-color-profile=srgb'],
  // No name has an address here, so that a page waits for none.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** A browser that is driven through a pipe: no port that a page could reach. */
export class Devtools {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Listener[]>();
  #last = 0;
  #rest = '';

  constructor(program: string, profile: string) {
    this.#child = spawn(program, [...flags, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#input = this.#child.stdio[3] as Writable;
    this.#input.on('error', () => undefined);
    const output = this.#child.stdio[4] as Readable;
    output.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    this.#child.once('error', (error) => this.#fail(error));
    this.#child.once('exit', () => this.#fail(new Error('the browser ended')));
  }

  #receive(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.#take(JSON.parse(part) as Reply);
  }

  #take({ id, result, error, method, params }: Reply): void {
    if (typeof id !== 'number') {
      for (const listener of this.#listeners.get(String(method)) ?? []) listener((params ?? {}) as Reply);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error((error as { message?: string }).message ?? 'the browser refused'));
    else waiting?.resolve((result ?? {}) as Reply);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  on(method: string, listener: Listener): void {
    this.#listeners.set(method, [...(this.#listeners.get(method) ?? []), listener]);
  }

  /** Rejects after `timeoutMs`: a page whose script never ends answers nothing. */
  send(method: string, params: Reply, sessionId: string | null, timeoutMs: number): Promise<Reply> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      afterTime(timeoutMs, () => {
        if (this.#waiting.delete(id)) reject(new Error(`${method} took too long`));
      });
      this.#waiting.set(id, { resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId !== null && { sessionId }) })}\0`);
    });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
