import type { BrowserInput } from '../../rules/browser/live-browser.ts';

const mostRuns = 500;
/** Shorter ones are found in too much that nobody typed. */
const shortestRun = 3;
const hidden = '(typed by a person)';

/** What a person has typed into a browser, which the model is not told even if a page repeats it. */
export class TypedTexts {
  #runs: string[] = [];
  #run = '';

  note(input: BrowserInput): void {
    if (input.do === 'type') this.#run += input.text;
    else if (input.do === 'press' && input.keys === 'Backspace') this.#run = this.#run.slice(0, -1);
    else if (input.do !== 'scroll') this.end();
  }

  /** What is typed from now on is typed elsewhere. */
  end(): void {
    const run = this.#run.trim();
    this.#run = '';
    if (run.length < shortestRun || this.#runs.includes(run)) return;
    this.#runs = [...this.#runs, run].toSorted((a, b) => b.length - a.length).slice(0, mostRuns);
  }

  /** A copy of a value in which no text contains what was typed. */
  conceal<Value>(value: Value): Value {
    if (this.#runs.length === 0) return value;
    return this.#concealIn(value) as Value;
  }

  #concealIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#concealText(value);
    if (Array.isArray(value)) return value.map((one) => this.#concealIn(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#concealIn(one)]));
  }

  #concealText(text: string): string {
    return this.#runs.reduce((shown, run) => {
      const encoded = encodeURIComponent(run.toWellFormed());
      const forms = new Set([run, JSON.stringify(run).slice(1, -1), encoded, encoded.replaceAll('%20', '+')]);
      return [...forms].reduce((kept, form) => kept.replaceAll(form, hidden), shown);
    }, text);
  }
}
