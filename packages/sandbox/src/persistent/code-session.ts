import { randomBytes } from 'node:crypto';
import type { CodeLanguage } from '../sandbox.ts';
import type { SandboxProcess, ProcessEnd } from './sandbox-process.ts';
import { sessionCommands } from './code-drivers.ts';
import type { PersistentSandbox } from './persistent-sandbox.ts';

/** How a call ended: with an exit code, and the session continues; or together with the session. */
export type CodeEnd = { exitCode: number } | { sessionEnd: ProcessEnd };

/** A program that keeps the variables of a language between calls. */
export class CodeSession {
  readonly #sandbox: PersistentSandbox;
  readonly #language: CodeLanguage;
  #process: SandboxProcess | null = null;
  #receive: (chunk: Buffer) => void = () => undefined;
  #count = 0;

  private constructor(sandbox: PersistentSandbox, language: CodeLanguage) {
    this.#sandbox = sandbox;
    this.#language = language;
  }

  static async start(sandbox: PersistentSandbox, language: CodeLanguage): Promise<CodeSession> {
    const session = new CodeSession(sandbox, language);
    session.#process = await sandbox.start({
      command: sessionCommands[language],
      input: 'request',
      onOutput: (chunk) => session.#receive(chunk),
    });
    return session;
  }

  get isOver(): boolean {
    return this.#process?.hasEnded !== false;
  }

  /** Runs code; calls must not overlap. Output that arrives between calls is that of the next one. */
  async run(code: string, onOutput: (chunk: Buffer) => void): Promise<CodeEnd> {
    const process = this.#process;
    if (!process) throw new Error('the session has not been started');
    const number = `${this.#language}-${++this.#count}`;
    const mark = randomBytes(12).toString('hex');
    await this.#sandbox.writeFile(`${number}.code`, code);
    let flush: () => void = () => undefined;
    const done = new Promise<CodeEnd>((resolve) => {
      const reader = findMark(mark, onOutput, (exitCode) => resolve({ exitCode }));
      this.#receive = reader.receive;
      flush = reader.flush;
    });
    process.write(`${number} ${mark}\n`);
    const end = await Promise.race([done, process.ended.then((sessionEnd) => ({ sessionEnd }))]);
    flush();
    await this.#sandbox.removeFile(`${number}.code`).catch(() => undefined);
    return end;
  }

  /** Interrupts the code that runs; the session may survive. */
  interrupt(): void {
    this.#process?.signal('INT');
  }

  kill(): void {
    this.#process?.signal('KILL');
  }
}

/** Passes output on up to the line that begins with the mark; keeps back only what could be the beginning of that line. */
function findMark(mark: string, pass: (chunk: Buffer) => void, found: (exitCode: number) => void) {
  const sought = Buffer.from(`\n${mark} `);
  let held: Buffer = Buffer.alloc(0);
  let isOver = false;
  const flush = () => {
    if (!isOver && held.length > 0) pass(held);
    isOver = true;
  };
  const receive = (chunk: Buffer) => {
    if (isOver) return;
    held = Buffer.concat([held, chunk]);
    const at = held.indexOf(sought);
    const end = at < 0 ? -1 : held.indexOf('\n', at + sought.length);
    if (end >= 0) {
      isOver = true;
      if (at > 0) pass(held.subarray(0, at));
      found(Number(held.subarray(at + sought.length, end)));
      return;
    }
    const safe = at >= 0 ? at : Math.max(0, held.length - lengthOfBeginning(held, sought));
    if (safe > 0) pass(held.subarray(0, safe));
    held = held.subarray(safe);
  };
  return { receive, flush };
}

/** How many bytes at the end of `text` are the beginning of `sought`. */
function lengthOfBeginning(text: Buffer, sought: Buffer): number {
  for (let length = Math.min(text.length, sought.length - 1); length > 0; length--) {
    if (text.subarray(text.length - length).equals(sought.subarray(0, length))) return length;
  }
  return 0;
}
