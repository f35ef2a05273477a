import { type Clock, pause } from '@errand/base/clock.ts';
import type { Load, LoadGauge } from '@errand/base/load/load-gauge.ts';

/**
 * Accepting requests has priority over running tasks: accepted tasks are safe in the store; waiting callers are not. Requests flood a process
 * if at least `callers` send `perMs` of them and keep its event loop for `delayMs` a turn, whatever the speed of the machine. Claims are then
 * at least `pauseMs` apart, and the longer the turns, the fewer tasks a second they claim. A single caller who repeats requests is no flood,
 * because nobody waits behind it.
 */
const flood = { perMs: 0.1, callers: 4, delayMs: 2, pauseMs: 20, longestPauseMs: 250, mostTasks: 12, leastTasks: 6 };
const claimAtOnce = 64;
/** Tasks claimed a millisecond in turns of one millisecond. */
const claimsPerMs = (flood.mostTasks * flood.delayMs) / flood.pauseMs;

const isFlood = ({ perMs, callers, delayMs }: Load): boolean =>
  perMs >= flood.perMs && callers >= flood.callers && delayMs >= flood.delayMs;

const claimsIn = ({ delayMs }: Load): number => Math.max(flood.leastTasks, Math.round((claimsPerMs / delayMs) * flood.pauseMs));

const pauseIn = ({ delayMs }: Load, tasks: number): number =>
  Math.min(flood.longestPauseMs, Math.max(flood.pauseMs, (tasks * delayMs) / claimsPerMs));

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
    return isFlood(this.#gauge.measure());
  }

  /** During a flood, waits until the last claim is long enough ago; returns how many tasks to claim then. */
  async giveWay(): Promise<number> {
    const load = this.#gauge.measure();
    const tasks = isFlood(load) ? claimsIn(load) : claimAtOnce;
    const pauseMs = isFlood(load) ? this.#lastClaimAt + pauseIn(load, tasks) - this.#clock.monotonic() : 0;
    if (pauseMs > 0) await pause(this.#clock, pauseMs);
    this.#lastClaimAt = this.#clock.monotonic();
    return tasks;
  }
}
