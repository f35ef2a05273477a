/** Long enough that changing turns costs nothing, short enough that a hundred sandboxes are looked at several times a second. */
const turnMs = 2;

interface Measurement<Result> {
  steps: Generator<void, Result>;
  done(result: Result): void;
  fail(error: unknown): void;
}

/** Runs measurements in turns of a few milliseconds, so that a sandbox whose measurement is slow delays only its own. */
export class MeasuringTurns<Result> {
  readonly #now: () => number;
  #queue: Measurement<Result>[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(measurement: Measurement<Result>): void {
    this.#queue.push(measurement);
  }

  /** Gives the next measurement its turn; false if there is none. */
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
