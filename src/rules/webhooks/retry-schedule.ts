const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000];

/** Base delays between attempts (docs/reference/choices.md#webhooks): 10 attempts over 75 hours and 35 minutes. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

/** A delay is up to this part longer or shorter, so that what failed together is not repeated together. */
export const jitter = 0.2;

/** A webhook on which nothing has succeeded for this long is set inactive. */
export const unbrokenFailureMs = 5 * 24 * hourMs;

/** What an attempt came to: the status of the answer, or null where there was none. */
export interface AttemptOutcome {
  status: number | null;
  /** What the answer asked for with `Retry-After`. */
  retryAfterMs: number | null;
}

/** `delivered`: done. `gone`: the receiver wants nothing more, ever. `failed`: for the time being. */
export type Verdict = 'delivered' | 'gone' | 'failed';

export function judgeAttempt(status: number | null): Verdict {
  if (status === 410) return 'gone';
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'failed';
}

/**
 * Milliseconds until the next attempt, or null when there is to be none.
 * @param attempt 1 for the first attempt of the schedule
 * @param chance from 0 to 1
 */
export function planRetry(attempt: number, { status, retryAfterMs }: AttemptOutcome, chance: number): number | null {
  if (judgeAttempt(status) !== 'failed') return null;
  const base = retryDelaysMs[attempt - 1];
  if (base === undefined) return null;
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, base), 2 * base);
  return Math.round(base * (1 - jitter + 2 * jitter * chance));
}
