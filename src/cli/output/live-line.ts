import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { Output } from '../shell.ts';
import { dim } from './print.ts';

/** One line at the bottom of a terminal that is overwritten as a task progresses. Only a terminal shows it. */
export class LiveLine {
  readonly #stderr: Output & { columns?: number };
  #isShown = false;

  constructor(stderr: Output) {
    this.#stderr = stderr;
  }

  /** Shows the end of a growing text. */
  show(text: string): void {
    if (!this.#stderr.isTTY) return;
    const width = Math.max((this.#stderr.columns ?? 80) - 3, 10);
    const line = cleanLine(text.slice(-4 * width), 4 * width);
    this.#stderr.write(`\r\u001b[K${dim(this.#stderr, `… ${line.slice(-width)}`)}`);
    this.#isShown = true;
  }

  /** Removes the line before something else is written. */
  clear(): void {
    if (this.#isShown) this.#stderr.write('\r\u001b[K');
    this.#isShown = false;
  }
}
