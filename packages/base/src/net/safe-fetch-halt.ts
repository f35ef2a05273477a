import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '../clock.ts';
import { OutboundFault } from './outbound-fault.ts';

/** Ends a request before its response, because of its caller or the clock. One for each request. */
export class Halt {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  readonly #unlisten: () => void;

  constructor(clock: Clock, caller: AbortSignal | undefined) {
    this.#clock = clock;
    const giveUp = () => this.stop(new OutboundFault('aborted', 'the request was aborted', { cause: caller?.reason }));
    if (caller?.aborted) giveUp();
    caller?.addEventListener('abort', giveUp, { once: true });
    this.#unlisten = () => caller?.removeEventListener('abort', giveUp);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the request after `delayMs`; `message` says what had not happened by then. */
  limit(delayMs: number, message: string): Timer {
    return this.schedule(() => this.stop(new OutboundFault('timeout', message)), delayMs);
  }

  /** Ends the request now; the first fault wins. */
  stop(fault: OutboundFault): void {
    this.#controller.abort(fault);
  }

  /** A timer that ends with the request. */
  schedule(run: () => void, delayMs: number): Timer {
    const timer = this.#clock.setTimer(run, delayMs);
    this.#timers.add(timer);
    return timer;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  /** Throws the fault that ended the request, if one did. */
  check(): void {
    this.#controller.signal.throwIfAborted();
  }

  /** The promise's outcome, or the fault that ends the request first. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this.#controller;
    let stop = () => {};
    const halted = new Promise<never>((_resolve, reject) => {
      stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([promise, halted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Destroys the socket, with the fault as its error, when the request ends early. */
  guard(socket: Duplex): void {
    const { signal } = this.#controller;
    const destroy = () => socket.destroy(signal.reason as Error);
    if (signal.aborted) destroy();
    else signal.addEventListener('abort', destroy, { once: true });
  }

  /** Releases everything once the request has ended, however it ended. */
  end(): void {
    this.#unlisten();
    for (const timer of this.#timers) timer.cancel();
  }
}
