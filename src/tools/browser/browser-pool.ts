import { Wakeups } from '@errand/base/signals/wakeups.ts';

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
 * Limits how many browsers run at once, because each takes several hundred megabytes. If there is no room for another, an idle one is
 * closed: of the account with the most browsers, the one that has been idle for longest. If all are busy, or people have taken them over,
 * the request waits.
 */
export class BrowserPool {
  readonly #capacity: number;
  /** Browsers, least recently used first. */
  readonly #running = new Set<Pooled>();
  /** Wakes tasks that wait for a free slot. */
  readonly #idle = new Wakeups();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Makes room for a browser that is to run, or keeps that of one that does. Rejects with the signal's reason. */
  async admit(browser: Pooled, signal: AbortSignal): Promise<void> {
    this.#running.delete(browser);
    let leaving: Pooled | undefined;
    while (this.#running.size >= this.#capacity) {
      signal.throwIfAborted();
      leaving = this.#choose();
      if (leaving) this.#running.delete(leaving);
      else await this.#idle.wait(signal);
    }
    this.#running.add(browser);
    await leaving?.putAway();
  }

  /** One of them is no longer busy. */
  noteIdle(): void {
    this.#idle.wake();
  }

  /** Whether a person may take one over: half of them stay for agents. */
  mayTake(): boolean {
    return [...this.#running].filter(({ isTaken }) => isTaken === true).length < Math.ceil(this.#capacity / 2);
  }

  /** Removes a browser that has ended. */
  remove(browser: Pooled): void {
    if (this.#running.delete(browser)) this.noteIdle();
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
