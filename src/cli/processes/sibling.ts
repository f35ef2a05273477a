import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The line that reports readiness, as data. */
export type ReadyLine = Readonly<Record<string, unknown>>;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that ended before it was ready. */
export class EndedEarly extends Error {
  readonly exit: Exit;

  constructor(exit: Exit) {
    super('a process ended before it was ready');
    this.exit = exit;
  }
}

/** One of the processes of a service, seen from its supervisor. */
export class Sibling {
  /** Rejects with `EndedEarly`. */
  readonly ready: Promise<ReadyLine>;
  readonly ended: Promise<Exit>;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    // A program that cannot be started has no exit.
    child.on('error', () => undefined);
    this.ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }));
    const line = new Promise<ReadyLine>((resolve) => child.once('message', (message) => resolve(message as ReadyLine)));
    const early = this.ended.then((exit): never => {
      throw new EndedEarly(exit);
    });
    this.ready = Promise.race([line, early]);
    this.ready.catch(() => undefined);
    early.catch(() => undefined);
  }

  /** Asks the process to finish what it does and to end. */
  stop(): void {
    if (this.#child.connected) this.#child.send('stop');
  }
}
