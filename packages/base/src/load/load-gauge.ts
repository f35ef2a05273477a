import type { Clock } from '../clock.ts';

/** Shorter spans say little about a rate: two requests within a millisecond are no burst. */
const leastWindowMs = 20;

/** So many requests, or so long a span, are enough to tell how many callers there are. */
const enoughArrivals = 16;
const enoughMs = 100;

/** The most callers that are told apart. */
const mostCallers = 16;

/** How many requests arrive, from how many callers, and how long they keep the event loop. */
export interface Load {
  perMs: number;
  /** Connections with a request in the span, counted up to 16. */
  callers: number;
  /** Milliseconds from the arrival of a request to the end of the event loop's turn, on average: how long others wait to be read. */
  delayMs: number;
}

/** Calls back when the current turn of the event loop ends. */
type AtEndOfTurn = (callback: () => void) => void;

/** Counts requests as they arrive, so that background work can step back while many come in. */
export class LoadGauge {
  readonly #clock: Clock;
  readonly #atEndOfTurn: AtEndOfTurn;
  #arrivals = 0;
  #since = 0;
  #callers = new Set<object>();
  #load: Load = { perMs: 0, callers: 0, delayMs: 0 };
  /** Begin of the turn that is being timed; null if none is. One measurement a turn is enough. */
  #turnStartedAt: number | null = null;
  #turns = 0;
  #turnsMs = 0;

  constructor(clock: Clock, atEndOfTurn: AtEndOfTurn = setImmediate) {
    this.#clock = clock;
    this.#atEndOfTurn = atEndOfTurn;
  }

  /** `caller`: the connection of the request. */
  note(caller: object): void {
    this.#arrivals += 1;
    if (this.#callers.size < mostCallers) this.#callers.add(caller);
    if (this.#turnStartedAt !== null) return;
    this.#turnStartedAt = this.#clock.monotonic();
    this.#atEndOfTurn(this.#endTurn);
  }

  /** The load since the last span, which lasts at least 20 ms, and 100 if few requests arrive. */
  measure(): Load {
    const nowMs = this.#clock.monotonic();
    const spanMs = nowMs - this.#since;
    if (spanMs >= leastWindowMs && (this.#arrivals >= enoughArrivals || spanMs >= enoughMs)) {
      this.#load = { perMs: this.#arrivals / spanMs, callers: this.#callers.size, delayMs: this.#takeDelay() };
      this.#arrivals = 0;
      this.#callers = new Set();
      this.#since = nowMs;
    }
    return this.#load;
  }

  readonly #endTurn = (): void => {
    this.#turns += 1;
    this.#turnsMs += this.#clock.monotonic() - (this.#turnStartedAt ?? 0);
    this.#turnStartedAt = null;
  };

  /** The turn that has not ended yet counts if it is longer than those before it. */
  #takeDelay(): number {
    const average = this.#turns === 0 ? 0 : this.#turnsMs / this.#turns;
    const current = this.#turnStartedAt === null ? 0 : this.#clock.monotonic() - this.#turnStartedAt;
    this.#turns = 0;
    this.#turnsMs = 0;
    return Math.max(average, current);
  }
}
