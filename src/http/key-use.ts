import type { Clock, Timer } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type KeyOwner, touchApiKeys } from '../store/api-keys.ts';
import type { Database } from '../store/db/database.ts';

/** How exact `last_used_at` is. */
const gatherMs = 30_000;

/** Notes which keys were used, and writes it down now and then for all of them together. */
export class KeyUse {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  #used = new Map<string, string>();
  #timer: Timer | undefined;

  constructor(database: Database, clock: Clock, log: Log) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
  }

  note({ keyId, accountId }: KeyOwner): void {
    this.#used.set(keyId, accountId);
    this.#timer ??= this.#clock.setTimer(() => void this.flush(), gatherMs);
  }

  /** Writes what was noted. It may be lost: a request is never refused or delayed for it. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Map();
    const keys = [...used].map(([keyId, accountId]) => ({ keyId, accountId }));
    try {
      await this.#database.run(touchApiKeys, { now: this.#clock.now(), keys });
    } catch (error) {
      this.#log.warn({ err: error, keys: keys.length }, 'could not note the use of API keys');
    }
  }
}
