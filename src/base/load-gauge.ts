/** Counts requests as they arrive, so that background work can step back while many come in. */
export class LoadGauge {
  #arrivals = 0;

  note(): void {
    this.#arrivals += 1;
  }

  /** Requests so far. */
  get arrivals(): number {
    return this.#arrivals;
  }
}
