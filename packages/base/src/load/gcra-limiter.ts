import type { Clock } from '../clock.ts';

/** Limits attempts per period: the full number may come at once at first, then they are spread evenly. */
export interface Pace {
  count: number;
  windowMs: number;
}

/** The new busy time after one more attempt, or the seconds until a retry. */
export type PaceVerdict = { busyUntilMs: number } | { waitS: number };

/**
 * Checks one attempt (GCRA): unlike fixed windows, no burst of twice the limit is possible around a boundary.
 * @param busyUntilMs when all earlier attempts are used up; after a clock was set back, at most a full window ahead
 * @param amount as how many attempts this one counts; more than the count of the pace are never admitted
 */
export function checkPace({ count, windowMs }: Pace, busyUntilMs: number, nowMs: number, amount = 1): PaceVerdict {
  const before = Math.min(Math.max(busyUntilMs, nowMs), nowMs + windowMs);
  const after = before + Math.ceil((windowMs * amount) / count);
  const waitMs = after - nowMs - windowMs;
  // Rounding up costs at most a millisecond per attempt.
  return waitMs > count ? { waitS: Math.ceil(waitMs / 1000) } : { busyUntilMs: after };
}

const maxKeys = 10_000;

/** A rate limit for each key, counted in this process. */
export class GcraLimiter {
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** For each key, the time at which its earlier attempts no longer count. */
  readonly #busyUntil = new Map<string, number>();

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** Counts an attempt, or several that belong together, and returns 0; or counts nothing and returns the seconds until a retry. */
  take(key: string, amount = 1): number {
    const now = this.#clock.monotonic();
    const verdict = checkPace(this.#pace, this.#busyUntil.get(key) ?? 0, now, amount);
    if ('waitS' in verdict) return verdict.waitS;
    this.#remember(key, verdict.busyUntilMs, now);
    return 0;
  }

  /** Resets a key. */
  clear(key: string): void {
    this.#busyUntil.delete(key);
  }

  #remember(key: string, busyUntil: number, now: number): void {
    if (this.#busyUntil.size >= maxKeys) {
      for (const [known, until] of this.#busyUntil) if (until <= now) this.#busyUntil.delete(known);
      // If all keys are in use, the oldest are dropped.
      for (const known of this.#busyUntil.keys()) {
        if (this.#busyUntil.size < maxKeys) break;
        this.#busyUntil.delete(known);
      }
    }
    this.#busyUntil.delete(key);
    this.#busyUntil.set(key, busyUntil);
  }
}
