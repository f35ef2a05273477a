import type { Clock, Timer } from '@errand/base/clock.ts';
import { type RateClass, RateWindow, type RateVerdict } from '../../rules/instance/rate-window.ts';
import type { Database } from '../../store/db/database.ts';
import { leaseRate, type RateKey, type RateLease, returnRate } from '../../store/instance/rate-limit-leases.ts';

/** Requests per minute for each class, null for no limits. */
export type Rates = Readonly<Record<RateClass, number>> | null;

/** Counts the requests of accounts (and of applications at the token endpoint). */
export interface RateLimiter {
  /** Counts one request. Synchronous if the store need not be asked. */
  take(ownerId: string, rateClass: RateClass): RateVerdict | Promise<RateVerdict>;
  close(): Promise<void>;
}

/** How often unused windows are removed. */
const tidyMs = 2000;

/** Counts requests in memory, which is complete for a store with a single process. */
export class OwnRateLimiter implements RateLimiter {
  readonly #clock: Clock;
  readonly #rates: Readonly<Record<RateClass, number>>;
  readonly #windows = new Map<string, RateWindow>();
  #tidyAt = 0;

  constructor(clock: Clock, rates: Readonly<Record<RateClass, number>>) {
    this.#clock = clock;
    this.#rates = rates;
  }

  take(ownerId: string, rateClass: RateClass): RateVerdict {
    // Durations are measured with the monotonic clock.
    const nowMs = this.#clock.monotonic() + 100_000;
    if (nowMs >= this.#tidyAt) this.#tidy(nowMs);
    const key = `${rateClass} ${ownerId}`;
    let window = this.#windows.get(key);
    if (!window) this.#windows.set(key, (window = new RateWindow()));
    const limit = this.#rates[rateClass];
    const isAdmitted = window.take(nowMs, 1, limit) === 1;
    return { isAdmitted, limit, remaining: window.remaining(nowMs, limit), resetS: window.resetS(nowMs) };
  }

  /** Few accounts are active in the same minute; the others cost nothing. */
  #tidy(nowMs: number): void {
    this.#tidyAt = nowMs + 30 * tidyMs;
    for (const [key, window] of this.#windows) if (window.isEmpty(nowMs)) this.#windows.delete(key);
  }

  close(): Promise<void> {
    this.#windows.clear();
    return Promise.resolve();
  }
}

/** How long a share may stay unused in one process, and how long a rejection is repeated without asking again. */
const holdMs = 2000;
const refusalMs = 1000;

interface Part {
  key: RateKey;
  units: number;
  lease: RateLease;
  /** Monotonic: until then it is used without asking the store. */
  until: number;
}

/**
 * Counts requests for a store shared by several processes. Each takes a share of the account's minute, up to a twentieth, in one statement,
 * and admits requests from it locally; it returns the unused rest after two seconds. All shares come from one window, so all processes
 * together never exceed the limit.
 */
export class SharedRateLimiter implements RateLimiter {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rates: Readonly<Record<RateClass, number>>;
  readonly #parts = new Map<string, Part>();
  readonly #asking = new Map<string, Promise<Part>>();
  #timer: Timer | undefined;

  constructor(database: Database, clock: Clock, rates: Readonly<Record<RateClass, number>>) {
    this.#database = database;
    this.#clock = clock;
    this.#rates = rates;
  }

  take(ownerId: string, rateClass: RateClass): RateVerdict | Promise<RateVerdict> {
    return this.#spend(`${rateClass} ${ownerId}`, rateClass) ?? this.#takeLater({ ownerId, rateClass });
  }

  /** A decision without asking the store; null if that is impossible. */
  #spend(name: string, rateClass: RateClass): RateVerdict | null {
    const part = this.#parts.get(name);
    if (!part || this.#clock.monotonic() >= part.until) return null;
    const isAdmitted = part.units > 0;
    if (!isAdmitted && part.lease.granted > 0) return null;
    if (isAdmitted) part.units--;
    const { remaining, resetS } = part.lease;
    return { isAdmitted, limit: this.#rates[rateClass], remaining: remaining + part.units, resetS };
  }

  async #takeLater(key: RateKey): Promise<RateVerdict> {
    const name = `${key.rateClass} ${key.ownerId}`;
    for (;;) {
      await (this.#asking.get(name) ?? this.#ask(name, key));
      // Others that waited for the same share may have used it up.
      const verdict = this.#spend(name, key.rateClass);
      if (verdict) return verdict;
    }
  }

  #ask(name: string, key: RateKey): Promise<Part> {
    const limit = this.#rates[key.rateClass];
    const asked = this.#database
      .run(leaseRate, { ...key, limit, wanted: Math.max(1, Math.min(500, Math.floor(limit / 20))) })
      .then((lease) => {
        const earlier = this.#parts.get(name);
        if (earlier && earlier.units > 0) void this.#giveBack(earlier);
        const until = this.#clock.monotonic() + (lease.granted > 0 ? holdMs : refusalMs);
        const part = { key, units: lease.granted, lease, until };
        this.#parts.set(name, part);
        this.#timer ??= this.#clock.setTimer(() => this.#tidy(), tidyMs);
        return part;
      })
      .finally(() => this.#asking.delete(name));
    this.#asking.set(name, asked);
    return asked;
  }

  #tidy(): void {
    const now = this.#clock.monotonic();
    for (const [name, part] of this.#parts) {
      if (now < part.until) continue;
      this.#parts.delete(name);
      if (part.units > 0) void this.#giveBack(part);
    }
    this.#timer = this.#parts.size > 0 ? this.#clock.setTimer(() => this.#tidy(), tidyMs) : undefined;
  }

  /** May be lost: then these requests count as made, for a minute. */
  #giveBack({ key, units, lease }: Part): Promise<unknown> {
    return this.#database.run(returnRate, { ...key, second: lease.second, count: units }).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const unused = [...this.#parts.values()].filter(({ units }) => units > 0);
    this.#parts.clear();
    await Promise.all(unused.map((part) => this.#giveBack(part)));
  }
}
