import type { Clock } from '../clock.ts';

const maxKeys = 10_000;

/**
 * So many in so much time for each key, with the whole number at once at the beginning and then evenly (GCRA): there is no edge
 * of a window around which twice as many get through.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #windowMs: number;
  /** For each key the time at which all that it has used is used up. */
  readonly #busyUntil = new Map<string, number>();

  constructor(clock: Clock, count: number, windowMs: number) {
    this.#clock = clock;
    this.#intervalMs = windowMs / count;
    this.#windowMs = windowMs;
  }

  /** Counts one, and answers 0; or counts nothing, and answers in how many seconds it may be tried again. */
  take(key: string): number {
    const now = this.#clock.monotonic();
    const busyUntil = Math.max(this.#busyUntil.get(key) ?? 0, now) + this.#intervalMs;
    const waitMs = busyUntil - now - this.#windowMs;
    // Sums of fractions are not exact.
    if (waitMs > 1) return Math.ceil(waitMs / 1000);
    this.#remember(key, busyUntil, now);
    return 0;
  }

  /** Deletes what a key has used. */
  clear(key: string): void {
    this.#busyUntil.delete(key);
  }

  #remember(key: string, busyUntil: number, now: number): void {
    if (this.#busyUntil.size >= maxKeys) {
      for (const [known, until] of this.#busyUntil) if (until <= now) this.#busyUntil.delete(known);
      // When all keys are in use, the oldest are dropped.
      for (const known of this.#busyUntil.keys()) {
        if (this.#busyUntil.size < maxKeys) break;
        this.#busyUntil.delete(known);
      }
    }
    this.#busyUntil.delete(key);
    this.#busyUntil.set(key, busyUntil);
  }
}
