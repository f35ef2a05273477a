/** Shorter spans say little about a rate: two requests in a millisecond are no burst. */
const windowMs = 20;

/** Counts requests as they arrive, so that background work can step back while many come in. */
export class LoadGauge {
  #arrivals = 0;
  #since = 0;
  #perMs = 0;

  note(): void {
    this.#arrivals += 1;
  }

  /** Requests per millisecond since the last call, over a span of at least 20 ms; `nowMs` is of a monotonic clock. */
  ratePerMs(nowMs: number): number {
    const spanMs = nowMs - this.#since;
    if (spanMs >= windowMs) {
      this.#perMs = this.#arrivals / spanMs;
      this.#arrivals = 0;
      this.#since = nowMs;
    }
    return this.#perMs;
  }
}
