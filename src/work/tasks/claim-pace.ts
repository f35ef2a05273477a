import { type Clock, pause } from '@errand/base/clock.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';

/**
 * Accepting requests has priority over running tasks. Above this rate, from at least this many callers, claims are `pauseMs` apart, and the
 * more requests there are, the fewer tasks they claim. Accepted tasks are safe in the store; waiting callers are not. A single caller
 * who repeats requests is no flood, whatever the rate, because nobody waits behind it.
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

  /** Whether so many requests arrive that claims have to wait. */
  isFlooded(): boolean {
    const { perMs, callers } = this.#gauge.measure(this.#clock.monotonic());
    return perMs >= flood.perMs && callers >= flood.callers;
  }

  /** During a flood, waits until the last claim is long enough ago; returns how many tasks to claim then. */
  async giveWay(): Promise<number> {
    const isFlooded = this.isFlooded();
    const { perMs } = this.#gauge.measure(this.#clock.monotonic());
    const pauseMs = this.#lastClaimAt + flood.pauseMs - this.#clock.monotonic();
    if (isFlooded && pauseMs > 0) await pause(this.#clock, pauseMs);
    this.#lastClaimAt = this.#clock.monotonic();
    return isFlooded ? Math.max(flood.leastTasks, Math.round((flood.mostTasks * flood.perMs) / perMs)) : claimAtOnce;
  }
}
