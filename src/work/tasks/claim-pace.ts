import { type Clock, pause } from '@errand/base/clock.ts';
import type { Load, LoadGauge } from '@errand/base/load/load-gauge.ts';

/**
 * Accepting requests has priority over running tasks: accepted tasks are safe in the store; waiting callers are not. Requests flood a process
 * if at least `callers` of them send `leastPerMs`, and either as many as `perMs`, or so many that a turn of its event loop takes `delayMs`,
 * which is less on a slow machine. A single caller who repeats requests is no flood, because nobody waits behind it.
 */
const flood = { callers: 4, leastPerMs: 0.1, perMs: 0.8, delayMs: 2 };

/** What is claimed at the threshold of a flood; the heavier it is, the fewer tasks are claimed, and then the less often. */
const claims = { usual: 64, most: 24, least: 6, pauseMs: 20, pausePerDelay: 2.5, longestPauseMs: 250 };

/** How much heavier the load is than the threshold of a flood; less than 1 without one. */
function weigh({ perMs, callers, delayMs }: Load): number {
  if (perMs < flood.leastPerMs || callers < flood.callers) return 0;
  return Math.max(perMs / flood.perMs, delayMs / flood.delayMs);
}

const pauseIn = ({ delayMs }: Load): number =>
  Math.min(claims.longestPauseMs, Math.max(claims.pauseMs, delayMs * claims.pausePerDelay));

/** How fast a worker claims tasks while requests arrive at the same process. */
export class ClaimPace {
  readonly #clock: Clock;
  readonly #gauge: LoadGauge;
  #lastClaimAt = 0;

  constructor(clock: Clock, gauge: LoadGauge) {
    this.#clock = clock;
    this.#gauge = gauge;
  }

  /** Whether so many requests arrive that claims have to wait. */
  isFlooded(): boolean {
    return weigh(this.#gauge.measure()) >= 1;
  }

  /** During a flood, waits until the last claim is long enough ago; returns how many tasks to claim then. */
  async giveWay(): Promise<number> {
    const load = this.#gauge.measure();
    const weight = weigh(load);
    const pauseMs = weight >= 1 ? this.#lastClaimAt + pauseIn(load) - this.#clock.monotonic() : 0;
    if (pauseMs > 0) await pause(this.#clock, pauseMs);
    this.#lastClaimAt = this.#clock.monotonic();
    return weight >= 1 ? Math.max(claims.least, Math.round(claims.most / weight)) : claims.usual;
  }
}
