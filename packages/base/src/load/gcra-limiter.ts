import type { Clock } from '../clock.ts';

/** Limits attempts per period: the full number may come at once at first, then they are spread evenly. */
export interface Pace {
  count: number;
  windowMs: number;
}

/** When all is used up after one more, or in how many seconds it may be tried again. */
export type PaceVerdict = { busyUntilMs: number } | { waitS: number };

/**
 * Judges one attempt (GCRA): there is no edge of a window around which twice as many get through.
 * @param busyUntilMs when all that was used before is used up; a clock that was set back leaves a full window at most
 */
export function judgePace({ count, windowMs }: Pace, busyUntilMs: number, nowMs: number): PaceVerdict {
  const before = Math.min(Math.max(busyUntilMs, nowMs), nowMs + windowMs);
  const after = before + Math.ceil(windowMs / count);
  const waitMs = after - nowMs - windowMs;
  // What is rounded up adds up to a millisecond for each attempt.
  return waitMs > count ? { waitS: Math.ceil(waitMs / 1000) } : { busyUntilMs: after };
}

const maxKeys = 10_000;

/** A pace for each key, counted in this process. */
export class GcraLimiter {
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** For each key the time at which all that it has used is used up. */
  readonly #busyUntil = new Map<string, number>();

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** Counts one, and answers 0; or counts nothing, and answers in how many seconds it may be tried again. */
  take(key: string): number {
    const now = this.#clock.monotonic();
    const verdict = judgePace(this.#pace, this.#busyUntil.get(key) ?? 0, now);
    if ('waitS' in verdict) return verdict.waitS;
    this.#remember(key, verdict.busyUntilMs, now);
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
