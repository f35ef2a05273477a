import type { Channel } from './channels.ts';
import type { SandboxEnd } from '../sandbox.ts';

/** Why a persistent sandbox ended: it was closed, it exceeded a limit, or it failed. */
export type PersistentSandboxEnd = SandboxEnd | 'closed' | 'failed';

export interface ProcessStart {
  command: readonly string[];
  /** Where the process finds its input: `stdin`, or descriptor 3 (`request`); by default it has none. */
  input?: 'stdin' | 'request';
  /** Standard output and standard error, in the order of writing; also that of processes it left behind. */
  onOutput(chunk: Buffer): void;
}

/** The end of the first process of a group: its exit code and how many others are left, or that the whole sandbox ended. */
export type ProcessEnd = { exitCode: number; left: number } | { lost: PersistentSandboxEnd };

interface ProcessOwner {
  signal(name: string, group: number): void;
  onClose(): void;
}

/** A process in a persistent sandbox, with all that it starts in its process group. */
export class SandboxProcess {
  /** Settles once all output of the first process has been received. */
  readonly ended: Promise<ProcessEnd>;
  /** Settles when it has ended and nothing that it started holds its output any longer. */
  readonly closed: Promise<void>;
  readonly #channel: Channel;
  readonly #receive: (chunk: Buffer) => void;
  readonly #owner: ProcessOwner;
  #group: number | null = null;
  #wanted: string[] = [];
  #settleEnd: (end: ProcessEnd) => void = () => undefined;
  #settleClose: () => void = () => undefined;
  #hasEnded = false;
  #isSilent = false;
  #isClosed = false;

  constructor(channel: Channel, { onOutput }: ProcessStart, owner: ProcessOwner) {
    this.#channel = channel;
    this.#receive = onOutput;
    this.#owner = owner;
    this.ended = new Promise((resolve) => (this.#settleEnd = resolve));
    this.closed = new Promise((resolve) => (this.#settleClose = resolve));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Signals the whole process group. */
  signal(name: 'INT' | 'KILL'): void {
    if (this.#group === null) this.#wanted.push(name);
    else this.#owner.signal(name, this.#group);
  }

  write(data: string | Uint8Array): void {
    this.#channel.write(data);
  }

  endInput(): void {
    this.#channel.endInput();
  }

  /** Called by its sandbox. */
  begin(group: number): void {
    if (this.#group !== null || !Number.isInteger(group) || group <= 1) return;
    this.#group = group;
    this.#channel.listen(this.#receive, () => {
      this.#isSilent = true;
      if (this.#hasEnded) this.#close();
    });
    for (const name of this.#wanted) this.#owner.signal(name, group);
  }

  /** Called by its sandbox. */
  end(exitCode: number, left: number): void {
    if (!Number.isInteger(exitCode) || !Number.isInteger(left)) return;
    const rest = this.#channel.drain();
    if (rest.length > 0) this.#receive(rest);
    this.#hasEnded = true;
    this.#settleEnd({ exitCode, left });
    if (this.#isSilent) this.#close();
  }

  /** Called by its sandbox when that has ended. */
  lose(lost: PersistentSandboxEnd): void {
    this.#hasEnded = true;
    this.#settleEnd({ lost });
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#owner.onClose();
    this.#settleClose();
  }
}
