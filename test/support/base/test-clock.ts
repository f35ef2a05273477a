import type { Clock, Timer } from '@errand/base/clock.ts';

interface Pending {
  dueAt: number;
  order: number;
  run: () => void;
}

/** Lets everything that needs no time finish. */
async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that stands still until the test advances it. */
export class TestClock implements Clock {
  readonly #settle: () => Promise<void>;
  readonly #timers = new Set<Pending>();
  #wallMs: number;
  #monotonicMs = 0;
  #order = 0;

  /** @param settle waits until the effects of a timer are done; by default until promises have settled */
  constructor(startMs = Date.UTC(2026, 0, 1), settle: () => Promise<void> = settlePromises) {
    this.#wallMs = startMs;
    this.#settle = settle;
  }

  now(): number {
    return this.#wallMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  setTimer(run: () => void, delayMs: number): Timer {
    const pending = { dueAt: this.#monotonicMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(pending);
    return { cancel: () => this.#timers.delete(pending) };
  }

  /** Timers that have neither run nor been cancelled. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** Time until the next timer, null when there is none. */
  get nextTimerMs(): number | null {
    const next = this.#findNext(Number.POSITIVE_INFINITY);
    return next ? next.dueAt - this.#monotonicMs : null;
  }

  /** Changes the wall clock, like an operator or a time server; no time passes and no timer fires. */
  jump(byMs: number): void {
    this.#wallMs += byMs;
  }

  /** Advances time: runs due timers in order, each with its effects before the next. */
  async advance(byMs: number): Promise<void> {
    const target = this.#monotonicMs + byMs;
    await this.#settle();
    for (let next = this.#findNext(target); next; next = this.#findNext(target)) {
      this.#moveTo(next.dueAt);
      this.#timers.delete(next);
      next.run();
      await this.#settle();
    }
    this.#moveTo(target);
    await this.#settle();
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #findNext(until: number): Pending | undefined {
    let found: Pending | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt > until) continue;
      if (!found || timer.dueAt < found.dueAt || (timer.dueAt === found.dueAt && timer.order < found.order)) found = timer;
    }
    return found;
  }
}
