import { type Clock, pause } from '@errand/base/clock.ts';

/** Waits for a wake-up or a timeout. A wake-up before the wait counts. */
export class Waker {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #isDue = false;
  #waiting: AbortController | null = null;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  wake(): void {
    this.#isDue = true;
    this.#waiting?.abort();
  }

  /** Waits at most this long, and not at all once the signal is aborted. */
  async wait(delayMs: number): Promise<void> {
    if (!this.#isDue && !this.#signal.aborted) {
      this.#waiting = new AbortController();
      await pause(this.#clock, delayMs, this.#waiting.signal);
      this.#waiting = null;
    }
    this.#isDue = false;
  }
}
