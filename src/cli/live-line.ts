import { terminalLine, dim } from './output.ts';
import type { Output } from './shell.ts';

/** One line at the bottom of a terminal that is written over as things go on. On anything but a terminal it is never shown. */
export class LiveLine {
  readonly #stderr: Output & { columns?: number };
  #isShown = false;

  constructor(stderr: Output) {
    this.#stderr = stderr;
  }

  /** Shows the end of a text that is still growing. */
  show(text: string): void {
    if (!this.#stderr.isTTY) return;
    const width = Math.max((this.#stderr.columns ?? 80) - 3, 10);
    const line = terminalLine(text.slice(-4 * width), 4 * width);
    this.#stderr.write(`\r\u001b[K${dim(this.#stderr, `… ${line.slice(-width)}`)}`);
    this.#isShown = true;
  }

  /** Takes it away before something else is written. */
  clear(): void {
    if (this.#isShown) this.#stderr.write('\r\u001b[K');
    this.#isShown = false;
  }
}
