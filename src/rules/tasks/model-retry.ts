/** A step is abandoned after this many calls or this long after its first failure (docs/reference/choices.md#model-retries). */
export const maxModelAttempts = 5;
export const maxFailingMs = 2 * 60 * 1000;

const delays = { firstMs: 1000, longestMs: 30_000 };
/** The longest pause between calls if the operator has set a patience, which may be hours. */
const longestPatientMs = 5 * 60_000;

export interface FailedCall {
  /** 1 for the first call of the step. */
  attempt: number;
  nowMs: number;
  /** When the first call of this step failed. */
  failingSinceMs: number;
  /** The delay requested by the provider. */
  retryAfterMs: number | undefined;
  /** Random number from 0 to 1, which spreads the retries of many tasks. */
  chance: number;
  /** How long the operator waits outages out; the number of calls is then unlimited. */
  patienceMs?: number | undefined;
}

/** The longest time until a planned call, which limits the wait even if a clock was set back. */
export function findLongestPause(patienceMs = 0): number {
  return Math.max(maxFailingMs, patienceMs);
}

/** The earliest time of the next call, or null to abandon the step. */
export function planModelRetry({
  attempt,
  nowMs,
  failingSinceMs,
  retryAfterMs = 0,
  chance,
  patienceMs,
}: FailedCall): number | null {
  if (patienceMs === undefined && attempt >= maxModelAttempts) return null;
  const longestMs = patienceMs === undefined ? delays.longestMs : longestPatientMs;
  const doubled = Math.min(delays.firstMs * 2 ** (attempt - 1), longestMs);
  const delayMs = Math.max(Math.round(doubled * (0.75 + chance / 2)), retryAfterMs);
  const retryAt = nowMs + delayMs;
  return retryAt - failingSinceMs > (patienceMs ?? maxFailingMs) ? null : retryAt;
}
