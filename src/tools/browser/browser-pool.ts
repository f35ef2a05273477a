/** A browser that runs, or is about to. */
export interface Pooled {
  readonly accountId: string;
  readonly isBusy: boolean;
  /** Whether a person has taken it over. */
  readonly isTaken?: boolean;
  /** Ends it; what it shows is kept. */
  putAway(): Promise<void>;
}

/**
 * How many browsers are there at once, because each takes several hundred megabytes. For one too many, an idle one is put away: of the
 * account that has most, the one that has been idle for longest. Where all are busy, also because people have taken them over, it waits.
 */
export class BrowserPool {
  readonly #capacity: number;
  /** In the order of their last use. */
  readonly #running = new Set<Pooled>();
  /** Those for whom there is no room. */
  readonly #waiting = new Set<() => void>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Makes room for a browser that is to run, or keeps that of one that does. Rejects with the signal's reason. */
  async admit(browser: Pooled, signal: AbortSignal): Promise<void> {
    this.#running.delete(browser);
    const leaving: Pooled[] = [];
    while (this.#running.size >= this.#capacity) {
      signal.throwIfAborted();
      const chosen = this.#choose();
      if (!chosen) {
        await this.#untilIdle(signal);
        continue;
      }
      this.#running.delete(chosen);
      leaving.push(chosen);
    }
    this.#running.add(browser);
    await Promise.all(leaving.map((one) => one.putAway()));
  }

  /** One of them is no longer busy. */
  noteIdle(): void {
    for (const rise of [...this.#waiting]) rise();
  }

  /** Whether a person may take one over: half of them stay for agents. */
  mayTake(): boolean {
    return [...this.#running].filter(({ isTaken }) => isTaken === true).length < Math.ceil(this.#capacity / 2);
  }

  /** For a browser that has ended. */
  remove(browser: Pooled): void {
    if (this.#running.delete(browser)) this.noteIdle();
  }

  #untilIdle(signal: AbortSignal): Promise<void> {
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

  #choose(): Pooled | undefined {
    const counts = new Map<string, number>();
    for (const { accountId } of this.#running) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    let chosen: Pooled | undefined;
    for (const one of this.#running) {
      if (one.isBusy) continue;
      if (!chosen || (counts.get(one.accountId) ?? 0) > (counts.get(chosen.accountId) ?? 0)) chosen = one;
    }
    return chosen;
  }
}
