/** Those who wait for something to change, and look again when it may have. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next `wake`, and when the signal aborts: the caller looks which of them it was. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const rise = () => {
        this.#waiting.delete(rise);
        signal.removeEventListener('abort', rise);
        resolve();
      };
      this.#waiting.add(rise);
      signal.addEventListener('abort', rise);
    });
  }

  wake(): void {
    for (const rise of [...this.#waiting]) rise();
  }
}
