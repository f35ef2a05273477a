import { Fault } from '@errand/base/fault.ts';

/** More have the same few causes. */
const mostNamed = 12;

/** Collects what is wrong with an input, so that its writer reads everything at once. */
export class ProblemList {
  readonly #faults: Fault[] = [];

  /** Does a part of the work; undefined if its input is wrong, which is noted. */
  async try<Result>(work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'invalid_argument') throw error;
      this.#faults.push(error);
      return undefined;
    }
  }

  /** Throws one Fault with all problems, if there are any. */
  throwAny(): void {
    const [first, ...others] = this.#faults;
    if (!first) return;
    if (others.length === 0) throw first;
    const lines = this.#faults.slice(0, mostNamed).map(({ message }) => message);
    const more = this.#faults.length - lines.length;
    const text = [...lines, ...(more > 0 ? [`and ${more} more problems`] : [])].join('\n');
    throw new Fault('invalid_argument', text, first.param === undefined ? {} : { param: first.param });
  }
}
