import { Fault } from '@errand/base/fault.ts';

/** More have the same few causes. */
const mostNamed = 12;

/** The problems of a list, which a list around it names as its own. */
class FaultOfProblems extends Fault {
  /** The first of them. */
  readonly named: readonly Fault[];
  readonly count: number;

  constructor(named: readonly Fault[], count: number) {
    const more = count - named.length;
    const lines = named.map(({ message }) => message);
    const param = named[0]?.param;
    const text = [...lines, ...(more > 0 ? [`and ${more} more ${more === 1 ? 'problem' : 'problems'}`] : [])].join('\n');
    super('invalid_argument', text, param === undefined ? {} : { param });
    [this.named, this.count] = [named, count];
  }
}

/** Collects what is wrong with an input, so that its writer reads the first twelve problems at once, and how many more there are. */
export class ProblemList {
  readonly #named: Fault[] = [];
  #count = 0;

  /** Does a part of the work; undefined if its input is wrong, which is noted. */
  async try<Result>(work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  /** As `try`, for the many small parts of an input. */
  tryNow<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  #note(error: unknown): void {
    if (!(error instanceof Fault) || error.code !== 'invalid_argument') throw error;
    const [named, count] = error instanceof FaultOfProblems ? [error.named, error.count] : [[error], 1];
    this.#named.push(...named.slice(0, mostNamed - this.#named.length));
    this.#count += count;
  }

  /** Throws one Fault with the problems, if there are any. */
  throwAny(): void {
    const [first] = this.#named;
    if (first) throw this.#count === 1 ? first : new FaultOfProblems(this.#named, this.#count);
  }
}
