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

/** Jitter, so that deliveries that failed together are not retried together. */
export const jitter = 0.2;

/** A webhook without a success for this long becomes inactive. */
export const unbrokenFailureMs = 5 * 24 * hourMs;

/** The outcome of an attempt: the response status, or null without a response. */
export interface AttemptOutcome {
  status: number | null;
  /** The delay requested with `Retry-After`. */
  retryAfterMs: number | null;
}

/** `delivered`: done. `gone`: the receiver permanently rejects deliveries. `failed`: retried later. */
export type Verdict = 'delivered' | 'gone' | 'failed';

export function classifyAttempt(status: number | null): Verdict {
  if (status === 410) return 'gone';
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'failed';
}

/**
 * Milliseconds until the next attempt, or null if there is none.
 * @param attempt 1 for the first attempt of the schedule
 * @param chance from 0 to 1
 */
export function planDeliveryRetry(attempt: number, { status, retryAfterMs }: AttemptOutcome, chance: number): number | null {
  if (classifyAttempt(status) !== 'failed') return null;
  const base = retryDelaysMs[attempt - 1];
  if (base === undefined) return null;
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, base), 2 * base);
  return Math.round(base * (1 - jitter + 2 * jitter * chance));
}
