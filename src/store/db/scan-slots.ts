import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';

/** Maximum number of concurrent scans in a process; an account gets at most half of these slots. */
export const scanSlots = 2;

/** How long a scan waits for a slot. */
const waitMs = 10_000;

/** Divides the few slots for scans between accounts, so that the scans of one account delay no other account. */
export class ScanSlots {
  readonly #clock: Clock;
  readonly #gate = new FairGate({ capacity: scanSlots });
  readonly #running = new Set<Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `scan` in a slot; rejects with `unavailable` if none becomes free in time. */
  run(owner: string, scan: () => Promise<unknown>): Promise<unknown> {
    const running = this.#run(owner, scan).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #run(owner: string, scan: () => Promise<unknown>): Promise<unknown> {
    const waiting = new AbortController();
    const timer = this.#clock.setTimer(() => waiting.abort(tooMany()), waitMs);
    const leave = await this.#gate.enter({ owner, signal: waiting.signal }).finally(() => timer.cancel());
    try {
      return await scan();
    } finally {
      leave();
    }
  }

  /** Resolves when every scan requested so far has ended. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

function tooMany(): Fault {
  return new Fault('unavailable', 'Too many searches are in progress; wait until one of yours has ended and try again.', {
    retryAfterS: 1,
  });
}
