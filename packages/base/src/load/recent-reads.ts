import type { Clock } from '../clock.ts';

/** Beyond so many, the oldest is dropped. */
const mostEntries = 10_000;

interface Entry<Value> {
  value: Promise<Value>;
  /** Monotonic milliseconds. */
  until: number;
}

/** What was read a short while ago, by key: whoever asks for the same meanwhile gets the same answer, even one that is still awaited. */
export class RecentReads<Value> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  /** In the order in which they were read, which is that of `until`. */
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** The recent answer for this key, or a new one by `ask`. */
  read(key: string, ask: () => Promise<Value>): Promise<Value> {
    const now = this.#clock.monotonic();
    this.#dropOld(now);
    const known = this.#entries.get(key);
    if (known) return known.value;
    const entry = { value: ask(), until: now + this.#ttlMs };
    this.#entries.set(key, entry);
    // What failed is read again by the next call.
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  /** Drops all answers, when what was read has changed. */
  clear(): void {
    this.#entries.clear();
  }

  #dropOld(now: number): void {
    for (const [key, { until }] of this.#entries) {
      if (now < until && this.#entries.size < mostEntries) return;
      this.#entries.delete(key);
    }
  }
}
