/** Wakes everyone who waits for a change, so that they check again. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next `wake`, or when the signal aborts; the caller checks which. */
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
