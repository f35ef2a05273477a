import type { Clock } from './clock.ts';

/** A clock that stands still at a time. Its timers run as usual, so that what waits resumes. */
export function createStillClock(source: Clock, atMs: number): Clock {
  return { now: () => atMs, monotonic: () => source.monotonic(), setTimer: (run, delayMs) => source.setTimer(run, delayMs) };
}

/** A clock that begins at a time and continues from there. */
export function createClockFrom(source: Clock, atMs: number): Clock {
  const begunMs = source.monotonic();
  return { ...createStillClock(source, atMs), now: () => Math.round(atMs + source.monotonic() - begunMs) };
}
