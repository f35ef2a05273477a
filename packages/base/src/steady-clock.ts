import { uptime } from 'node:os';
import type { Clock } from './clock.ts';

/** Smaller differences between the wall clock and the elapsed time are accepted at once. */
const toleranceMs = 30_000;

/** A jump that lasts this long is accepted, too, because somebody has set the clock. */
const believedAfterMs = 60_000;

/** How often the wall clock becomes the reference again, so that small corrections never add up. */
const renewMs = 10_000;

export interface ClockJump {
  /** How far the wall clock is ahead of the time that has passed; negative if it is behind. */
  byMs: number;
  /** Whether the jump is now believed. */
  isAccepted: boolean;
}

/** Where the clocks were when they were last believed. */
interface Reference {
  wallMs: number;
  monotonicMs: number;
  bootMs: number;
}

/**
 * A clock whose `now` does not follow a wall clock that jumps for a moment: nothing expires early and no lease reaches into the far future.
 * It compares the wall clock with the monotonic one, and reports each jump once. Time in which the machine slept is no jump.
 *
 * @param sinceBoot milliseconds, including those in which the machine slept
 */
export function createSteadyClock(source: Clock, report: (jump: ClockJump) => void, sinceBoot = () => uptime() * 1000): Clock {
  let reference: Reference | null = null;
  let doubt: { byMs: number; sinceMs: number } | null = null;

  function believe(wallMs: number, monotonicMs: number): number {
    doubt = null;
    reference = { wallMs, monotonicMs, bootMs: sinceBoot() };
    return wallMs;
  }

  function estimate(known: Reference, wallMs: number, monotonicMs: number): number {
    const passedMs = monotonicMs - known.monotonicMs;
    const expectedMs = known.wallMs + passedMs;
    const byMs = wallMs - expectedMs;
    if (Math.abs(byMs) <= toleranceMs) {
      if (passedMs >= renewMs || doubt) return believe(wallMs, monotonicMs);
      return wallMs;
    }
    const sleptMs = sinceBoot() - known.bootMs - passedMs;
    if (Math.abs(byMs - sleptMs) <= toleranceMs) return believe(wallMs, monotonicMs);
    if (!doubt || Math.abs(byMs - doubt.byMs) > toleranceMs) {
      doubt = { byMs, sinceMs: monotonicMs };
      report({ byMs, isAccepted: false });
    }
    if (monotonicMs - doubt.sinceMs < believedAfterMs) return expectedMs;
    report({ byMs, isAccepted: true });
    return believe(wallMs, monotonicMs);
  }

  return {
    now() {
      const [wallMs, monotonicMs] = [source.now(), source.monotonic()];
      return reference ? Math.floor(estimate(reference, wallMs, monotonicMs)) : believe(wallMs, monotonicMs);
    },
    monotonic: () => source.monotonic(),
    setTimer: (run, delayMs) => source.setTimer(run, delayMs),
  };
}
