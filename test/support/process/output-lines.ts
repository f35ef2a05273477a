export interface OutputLine {
  source: 'stdout' | 'stderr';
  text: string;
}

/** Timeout for a line, only for tests that would hang. */
const timeoutMs = 240_000;

/** The output lines of a program so far, and a way to wait for more. */
export class OutputLines {
  readonly lines: OutputLine[] = [];
  readonly #name: string;
  readonly #listeners = new Set<(line: OutputLine) => void>();

  /** @param name the program, for failure messages */
  constructor(name: string) {
    this.#name = name;
  }

  add(line: OutputLine): void {
    this.lines.push(line);
    for (const listener of this.#listeners) listener(line);
  }

  /** The first line, past or future, that matches; rejects if the program ends first, with its exit status, or is silent too long. */
  async waitForLine(matches: (line: OutputLine) => boolean, ended: Promise<string>): Promise<OutputLine> {
    const present = this.lines.find(matches);
    if (present) return present;
    const { promise, resolve, reject } = Promise.withResolvers<OutputLine>();
    const listener = (line: OutputLine) => matches(line) && resolve(line);
    const deadline = setTimeout(() => reject(this.#failure('did not write the expected line in time')), timeoutMs);
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
