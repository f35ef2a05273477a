/** Shorter spans say little about a rate: two requests within a millisecond are no burst. */
const windowMs = 20;

/** The most callers that are told apart. */
const mostCallers = 16;

/** How many requests arrive, and from how many callers. */
export interface Load {
  perMs: number;
  /** Connections with a request in the span, counted up to 16. */
  callers: number;
}

/** Counts requests as they arrive, so that background work can step back while many come in. */
export class LoadGauge {
  #arrivals = 0;
  #since = 0;
  #callers = new Set<object>();
  #load: Load = { perMs: 0, callers: 0 };

  /** `caller`: the connection of the request. */
  note(caller: object): void {
    this.#arrivals += 1;
    if (this.#callers.size < mostCallers) this.#callers.add(caller);
  }

  /** The load since the last call, over a span of at least 20 ms; `nowMs` is of a monotonic clock. */
  measure(nowMs: number): Load {
    const spanMs = nowMs - this.#since;
    if (spanMs >= windowMs) {
      this.#load = { perMs: this.#arrivals / spanMs, callers: this.#callers.size };
      this.#arrivals = 0;
      this.#callers = new Set();
      this.#since = nowMs;
    }
    return this.#load;
  }
}
