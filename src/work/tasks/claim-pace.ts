import { type Clock, pause } from '@errand/base/clock.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';

/**
 * Accepting requests has priority over running tasks: above this rate, from at least so many callers, claims are sequential, and smaller the
 * more requests there are. Accepted tasks are safe in the store; waiting callers are not. A caller who asks again and again is no flood,
 * whatever the rate: nobody waits behind it.
 */
const flood = { perMs: 0.8, callers: 4, pauseMs: 20, mostTasks: 24, leastTasks: 6 };
const claimAtOnce = 64;

/** How fast a worker claims tasks while requests arrive at the same process. */
export class ClaimPace {
  readonly #clock: Clock;
  readonly #gauge: LoadGauge;
  #lastClaimAt = 0;

  constructor(clock: Clock, gauge: LoadGauge) {
    this.#clock = clock;
    this.#gauge = gauge;
  }

  /** Whether so many requests arrive that tasks have to wait. */
  isFlooded(): boolean {
    const { perMs, callers } = this.#gauge.measure(this.#clock.monotonic());
    return perMs >= flood.perMs && callers >= flood.callers;
  }

  /** Lets a burst of requests through first; returns how many tasks to claim then. */
  async giveWay(): Promise<number> {
    const isFlooded = this.isFlooded();
    const { perMs } = this.#gauge.measure(this.#clock.monotonic());
    const pauseMs = this.#lastClaimAt + flood.pauseMs - this.#clock.monotonic();
    if (isFlooded && pauseMs > 0) await pause(this.#clock, pauseMs);
    this.#lastClaimAt = this.#clock.monotonic();
    return isFlooded ? Math.max(flood.leastTasks, Math.round((flood.mostTasks * flood.perMs) / perMs)) : claimAtOnce;
  }
}
