/** Length of a turn: long enough that switching costs nothing, short enough to measure a hundred sandboxes several times per second. */
const turnMs = 2;

interface Measurement<Result> {
  steps: Generator<void, Result>;
  done(result: Result): void;
  fail(error: unknown): void;
}

/** Runs measurements in turns of a few milliseconds, so that a slow measurement delays only its own sandbox. */
export class MeasuringTurns<Result> {
  readonly #now: () => number;
  #queue: Measurement<Result>[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(measurement: Measurement<Result>): void {
    this.#queue.push(measurement);
  }

  /** Continues with the next measurement; false if there is none. */
  takeTurn(): boolean {
    const next = this.#queue.shift();
    if (!next) return false;
    try {
      this.#proceed(next);
    } catch (error) {
      next.fail(error);
    }
    return true;
  }

  #proceed(next: Measurement<Result>): void {
    const end = this.#now() + turnMs;
    do {
      const step = next.steps.next();
      if (step.done) return next.done(step.value);
    } while (this.#now() < end);
    this.#queue.push(next);
  }
}
