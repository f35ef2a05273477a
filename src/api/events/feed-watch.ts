import type { Clock, Timer } from '@errand/base/clock.ts';

/** Why a watch woke up: to read the log, to forward deltas, or because it has ended. */
export type Wake = 'look' | 'deltas' | 'end';

/** Merges hints, deltas and time into one sequence of wake-ups; concurrent ones are combined. */
export class TaskWatch {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #pending: Wake | null = null;
  #wake: (() => void) | null = null;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  /** The log may have grown. */
  look(): void {
    this.#pending = 'look';
    this.#wake?.();
  }

  /** Wakes the reader because there are deltas to pass on. */
  stir(): void {
    this.#pending ??= 'deltas';
    this.#wake?.();
  }

  /** Waits for the next wake-up; from `lookAt` on, in monotonic milliseconds, it is due to look, however many deltas arrive. */
  async next(lookAt = Infinity): Promise<Wake> {
    const waitMs = lookAt - this.#clock.monotonic();
    if (this.#pending === null && !this.#signal.aborted && waitMs > 0) {
      let timer: Timer | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (waitMs < Infinity) timer = this.#clock.setTimer(() => this.look(), waitMs);
      });
      this.#wake = null;
      timer?.cancel();
    }
    if (this.#signal.aborted) return 'end';
    const wake = this.#clock.monotonic() < lookAt && this.#pending !== null ? this.#pending : 'look';
    this.#pending = null;
    return wake;
  }
}
