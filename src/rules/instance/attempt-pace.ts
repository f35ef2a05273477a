/** So many attempts in so much time: the whole number at once at the beginning, and then evenly. */
export interface AttemptPace {
  count: number;
  windowMs: number;
}

/** When all is used up after one more, or in how many seconds it may be tried again. */
export type PaceVerdict = { busyUntilMs: number } | { waitS: number };

/**
 * Judges one attempt (GCRA): there is no edge of a window around which twice as many get through.
 * @param busyUntilMs when all that was used before is used up; a clock that was set back leaves a full window at most
 */
export function judgePace({ count, windowMs }: AttemptPace, busyUntilMs: number, nowMs: number): PaceVerdict {
  const before = Math.min(Math.max(busyUntilMs, nowMs), nowMs + windowMs);
  const after = before + Math.ceil(windowMs / count);
  const waitMs = after - nowMs - windowMs;
  // What is rounded up adds up to a millisecond for each attempt.
  return waitMs > count ? { waitS: Math.ceil(waitMs / 1000) } : { busyUntilMs: after };
}
