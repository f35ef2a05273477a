/** The processor time that a sandbox may use at once before it yields to others, and the rate at which it regains it. */
const allowedMs = 500;
const regainedShare = 0.02;

/**
 * Tells short commands from long ones by the processor time of their sandbox: it may use half a second at once, and a fiftieth of a
 * processor in the long run. Beyond that, it should leave the processors to sandboxes that only need them for a moment.
 */
export class CpuAllowance {
  #leftMs = allowedMs;
  #usedMs = 0;
  #at: number;

  /** @param now monotonic milliseconds */
  constructor(now: number) {
    this.#at = now;
  }

  /** Whether it has used too much, given all that it has used so far. */
  isExceeded(usedMs: number, now: number): boolean {
    const regainedMs = (now - this.#at) * regainedShare;
    // The kernel forgets the time of processes that nobody waited for, so the sum can shrink.
    const spentMs = Math.max(usedMs - this.#usedMs, 0);
    this.#leftMs = Math.max(Math.min(this.#leftMs + regainedMs, allowedMs) - spentMs, -allowedMs);
    this.#usedMs = usedMs;
    this.#at = now;
    return this.#leftMs < 0;
  }
}
