import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Writable } from 'node:stream';
import type { Sandbox, SandboxCommand } from '@errand/sandbox';

/** One message, as its line. */
const longestLine = 16 * 1024 * 1024;
/** A server's standard error helps the operator find out why it exited. */
const keptErrors = 64 * 1024;

/** The command line and environment of an MCP server. */
export type SandboxedServer = Pick<SandboxCommand, 'workspace' | 'command' | 'env' | 'library' | 'egress' | 'limits'>;

/** Line-delimited messages to and from a command in the sandbox. */
export class SandboxTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #sandbox: Sandbox;
  readonly #command: SandboxedServer;
  readonly #noteEnd: () => void;
  readonly #end = new AbortController();
  #input: Writable | null = null;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #ended: Promise<void> = Promise.resolve();
  /** Why it ended, as far as known; null while it runs. */
  problem: string | null = null;

  /** @param noteEnd called once, when the command has ended */
  constructor(sandbox: Sandbox, command: SandboxedServer, noteEnd: () => void) {
    this.#sandbox = sandbox;
    this.#command = command;
    this.#noteEnd = noteEnd;
  }

  /** Resolves when the command is ready; rejects if it ends before. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (input: Writable) => {
        this.#input = input;
        resolve();
      };
      this.#ended = this.#run(begin).finally(() => reject(new Error(this.problem ?? 'it was ended')));
    });
  }

  async #run(begin: (input: Writable) => void): Promise<void> {
    const talk = { begin, receive: (chunk: Buffer) => this.#receive(chunk) };
    const limits = { ...this.#command.limits, outputBytes: keptErrors };
    try {
      const { end, exitCode, stderr } = await this.#sandbox.run({ ...this.#command, limits, talk, signal: this.#end.signal });
      const last = stderr
        .toString()
        .trim()
        .slice(-300)
        .replaceAll(/\p{Cc}+/gu, ' ');
      const how = end === 'exit' ? `its command ended with ${exitCode}` : `its command went past a limit (${end})`;
      this.problem ??= last === '' ? how : `${how}: ${last}`;
    } catch (error) {
      this.problem ??= error instanceof Error ? error.message : String(error);
    }
    this.#noteEnd();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#input;
    if (!input || this.problem !== null) return Promise.reject(new Error(this.problem ?? 'it has not been started'));
    return new Promise((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.problem ??= 'it was ended';
    this.#end.abort(new Error('it was ended'));
    await this.#ended;
  }

  #receive(chunk: Buffer): void {
    if (this.problem !== null) return;
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      if (!this.#keep(chunk.subarray(from, at))) return;
      this.#report(Buffer.concat(this.#rest).toString());
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Adds a chunk of a line; false if the line becomes too long, after which nothing more is received. */
  #keep(piece: Buffer): boolean {
    this.#rest.push(piece);
    this.#restBytes += piece.length;
    if (this.#restBytes <= longestLine) return true;
    this.#rest = [];
    this.problem ??= 'it sent a message that is too long';
    this.#end.abort(new Error(this.problem));
    return false;
  }

  /** // Other output of the program is ignored. */
  #report(line: string): void {
    if (!line.startsWith('{')) return;
    try {
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
