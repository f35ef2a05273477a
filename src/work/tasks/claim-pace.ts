import { type Clock, pause } from '@errand/base/clock.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';

/**
 * Accepting requests has priority over running tasks: accepted tasks are safe in the store; waiting callers are not. Requests flood a process
 * if so many wait at the same time, whatever they wait for: its event loop, the disk, or processors that others have.
 */
const floodWaiting = 8;

/** How many tasks a claim takes without a flood. */
const usualClaim = 64;

/** During a flood, so many tasks are young at the same time. Claims are so far apart that one takes several. */
const young = { most: 8, pauseMs: 20 };

/**
 * A task is young until it ends, or has had the time of so many requests, each of which waits for about as much as one of its steps. Then it
 * waits for a model or a command, and costs the callers nothing.
 */
const youth = { requests: 8, leastMs: 100, longestMs: 1000 };

/** How fast a worker claims tasks while requests arrive at the same process (docs/internals/decisions/0011-requests-before-task-work.md). */
export class ClaimPace {
  readonly #clock: Clock;
  readonly #gauge: LoadGauge;
  /** When the tasks that may still be young began, the oldest first. */
  readonly #begun = new Map<object, number>();
  #lastClaimAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, gauge: LoadGauge) {
    this.#clock = clock;
    this.#gauge = gauge;
  }

  /** Whether so many callers wait that tasks have to. */
  isFlooded(): boolean {
    return this.#gauge.measure().waiting >= floodWaiting;
  }

  /** Notes that this worker begins to run a task. */
  begin(run: object): void {
    this.#begun.set(run, this.#clock.monotonic());
  }

  end(run: object): void {
    this.#begun.delete(run);
  }

  /** During a flood, waits until there are fewer young tasks than there may be; returns how many tasks to claim then. */
  async giveWay(): Promise<number> {
    while (this.isFlooded()) {
      const sinceClaimMs = this.#clock.monotonic() - this.#lastClaimAt;
      const free = young.most - this.#countYoung();
      if (free > 0 && sinceClaimMs >= young.pauseMs) return this.#claim(free);
      await pause(this.#clock, free > 0 ? young.pauseMs - sinceClaimMs : young.pauseMs);
    }
    return this.#claim(usualClaim);
  }

  #claim(count: number): number {
    this.#lastClaimAt = this.#clock.monotonic();
    return count;
  }

  #countYoung(): number {
    const youthMs = youth.requests * this.#gauge.measure().waitMs;
    const oldest = this.#clock.monotonic() - Math.min(youth.longestMs, Math.max(youth.leastMs, youthMs));
    let older = 0;
    for (const begunAt of this.#begun.values()) {
      if (begunAt > oldest) break;
      older += 1;
    }
    return this.#begun.size - older;
  }
}
