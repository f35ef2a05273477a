export interface OutputLine {
  source: 'stdout' | 'stderr';
  text: string;
}

/** How long a line may be waited for: only a bound for a test that would hang. */
const patienceMs = 240_000;

/** The lines that a program has written so far, and a way to wait for those to come. */
export class OutputLines {
  readonly lines: OutputLine[] = [];
  readonly #name: string;
  readonly #listeners = new Set<(line: OutputLine) => void>();

  /** @param name the program, for messages of failure */
  constructor(name: string) {
    this.#name = name;
  }

  add(line: OutputLine): void {
    this.lines.push(line);
    for (const listener of this.#listeners) listener(line);
  }

  /** The first line, past or future, that matches; rejects when the program ends first, with how it ended, or stays silent. */
  async waitForLine(matches: (line: OutputLine) => boolean, ended: Promise<string>): Promise<OutputLine> {
    const present = this.lines.find(matches);
    if (present) return present;
    const { promise, resolve, reject } = Promise.withResolvers<OutputLine>();
    const listener = (line: OutputLine) => matches(line) && resolve(line);
    const deadline = setTimeout(() => reject(this.#failure('did not write the expected line in time')), patienceMs);
    this.#listeners.add(listener);
    void ended.then((how) => reject(this.#failure(`ended with ${how}`)));
    return promise.finally(() => {
      clearTimeout(deadline);
      this.#listeners.delete(listener);
    });
  }

  #failure(what: string): Error {
    const tail = this.lines.slice(-30).map(({ source, text }) => `  ${source}: ${text}`);
    return new Error([`${this.#name} ${what}`, ...tail].join('\n'));
  }
}
