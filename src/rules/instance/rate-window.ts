/** Requests per minute, by group of operations. */
export const rateClasses = ['create', 'read', 'write', 'token', 'trigger'] as const;
export type RateClass = (typeof rateClasses)[number];

/** `token` is per application, `trigger` per trigger, the others per account (docs/reference/choices.md#rate-limits). */
export const defaultRates: Readonly<Record<RateClass, number>> = {
  create: 600,
  read: 6000,
  write: 1200,
  token: 60,
  trigger: 120,
};

/** A request counts for a minute, and until the end of the second after it. */
export const windowS = 60;
const buckets = windowS + 1;

/** The verdict on a request: whether it may proceed, what is left, and in how many seconds more is available. */
export interface RateVerdict {
  isAdmitted: boolean;
  limit: number;
  remaining: number;
  resetS: number;
}

/**
 * The usage of the last minute, by second. No span of sixty seconds admits more than the limit: neither at the edge of a minute, as
 * with a counter that resets, nor through a full bucket and its refill.
 */
export class RateWindow {
  readonly #counts = new Uint32Array(buckets);
  /** The newest counted second. */
  #second = 0;
  #used = 0;

  /**
   * Counting continues in the newest second seen, because whoever waited for its turn may have read the clock before whoever had it. Only
   * a clock that was wrong can have counted more than a window ahead, which is dropped.
   * @param counts by second since the epoch, as returned by `entries`
   */
  static from(counts: readonly (readonly [second: number, count: number])[], nowMs: number): RateWindow {
    const window = new RateWindow();
    const ahead = counts.map(([second]) => second * 1000).filter((ms) => ms <= nowMs + windowS * 1000);
    window.#moveTo(Math.max(nowMs, ...ahead));
    for (const [second, count] of counts) {
      if (second > window.#second || second <= window.#second - buckets) continue;
      window.#counts[second % buckets] = count;
      window.#used += count;
    }
    return window;
  }

  /** The second in which requests are counted now: the newest one seen. */
  get second(): number {
    return this.#second;
  }

  /** The counts by second, without empty seconds. */
  *entries(): Generator<[second: number, count: number]> {
    for (let second = this.#second - buckets + 1; second <= this.#second; second++) {
      const count = this.#at(second);
      if (count > 0) yield [second, count];
    }
  }

  #at(second: number): number {
    return this.#counts[((second % buckets) + buckets) % buckets] ?? 0;
  }

  /** Drops what has left the window. After a clock set-back, counting continues in the newest second seen. */
  #moveTo(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second <= this.#second) return;
    if (second - this.#second >= buckets) {
      this.#counts.fill(0);
      this.#used = 0;
    } else {
      for (let left = this.#second + 1; left <= second; left++) {
        this.#used -= this.#at(left);
        this.#counts[left % buckets] = 0;
      }
    }
    this.#second = second;
  }

  remaining(nowMs: number, limit: number): number {
    this.#moveTo(nowMs);
    return Math.max(0, limit - this.#used);
  }

  /** Counts up to `wanted` within the limit; returns the number counted. */
  take(nowMs: number, wanted: number, limit: number): number {
    const granted = Math.min(wanted, this.remaining(nowMs, limit));
    this.#counts[this.#second % buckets] = this.#at(this.#second) + granted;
    this.#used += granted;
    return granted;
  }

  /** Returns what was counted in a second but not used. */
  giveBack(nowMs: number, second: number, count: number): void {
    this.#moveTo(nowMs);
    if (second > this.#second || second <= this.#second - buckets) return;
    const returned = Math.min(count, this.#at(second));
    this.#counts[second % buckets] = this.#at(second) - returned;
    this.#used -= returned;
  }

  /** Whole seconds until the oldest use leaves the window, at least 1; 0 for an empty window. */
  resetS(nowMs: number): number {
    this.#moveTo(nowMs);
    if (this.#used === 0) return 0;
    for (let second = this.#second - buckets + 1; second <= this.#second; second++) {
      if (this.#at(second) > 0) return Math.max(1, Math.ceil(second + buckets - nowMs / 1000));
    }
    return 0;
  }

  isEmpty(nowMs: number): boolean {
    this.#moveTo(nowMs);
    return this.#used === 0;
  }
}
