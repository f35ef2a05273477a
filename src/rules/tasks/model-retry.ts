/** A step is abandoned after this many calls or this long after its first failure (docs/reference/choices.md#model-retries). */
export const maxModelAttempts = 5;
export const maxFailingMs = 2 * 60 * 1000;

const delays = { firstMs: 1000, longestMs: 30_000 };

export interface FailedCall {
  /** 1 for the first call of the step. */
  attempt: number;
  nowMs: number;
  /** When the first call of this step failed. */
  failingSinceMs: number;
  /** The delay requested by the provider. */
  retryAfterMs: number | undefined;
  /** From 0 to 1: spreads the retries of many tasks. */
  chance: number;
}

/** The earliest time of the next call, or null to abandon the step. */
export function planModelRetry({ attempt, nowMs, failingSinceMs, retryAfterMs = 0, chance }: FailedCall): number | null {
  if (attempt >= maxModelAttempts) return null;
  const doubled = Math.min(delays.firstMs * 2 ** (attempt - 1), delays.longestMs);
  const delayMs = Math.max(Math.round(doubled * (0.75 + chance / 2)), retryAfterMs);
  const retryAt = nowMs + delayMs;
  return retryAt - failingSinceMs > maxFailingMs ? null : retryAt;
}
