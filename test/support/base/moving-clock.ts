import { type Clock, systemClock, type Timer } from '@errand/base/clock.ts';

interface Pending {
  dueAt: number;
  run: () => void;
  timer: Timer;
}

/** The operating system's clock, which a test can put ahead: for a service that also waits for real files and connections. */
export class MovingClock implements Clock {
  readonly #pending = new Set<Pending>();
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  setTimer(run: () => void, delayMs: number): Timer {
    const finish = () => {
      this.#pending.delete(pending);
      run();
    };
    const pending = { dueAt: this.monotonic() + delayMs, run: finish, timer: systemClock.setTimer(finish, delayMs) };
    this.#pending.add(pending);
    return {
      cancel: () => {
        pending.timer.cancel();
        this.#pending.delete(pending);
      },
    };
  }

  /** Puts the clock ahead. Timers that this makes due run at once, in the order of their times; the others are that much nearer. */
  advance(byMs: number): void {
    this.#aheadMs += byMs;
    for (const pending of [...this.#pending].sort((one, other) => one.dueAt - other.dueAt)) {
      // One that ran before it may have cancelled it.
      if (!this.#pending.has(pending)) continue;
      pending.timer.cancel();
      // Timers of the system leave out fractions.
      const leftMs = Math.ceil(pending.dueAt - this.monotonic());
      if (leftMs > 0) pending.timer = systemClock.setTimer(pending.run, leftMs);
      else pending.run();
    }
  }
}
