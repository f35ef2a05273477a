import type { Clock } from '../base/clock.ts';
import { credentialsKey } from '../base/hints.ts';
import { digestSecret } from '../base/secret.ts';
import { findKeyOwner, type KeyOwner } from '../store/api-keys.ts';
import type { Database } from '../store/db/database.ts';

/** How long a revoked key can go on working when the hint about it is lost. */
const trustMs = 500;
const maxEntries = 10_000;

/**
 * Whose API key this is. Found owners are remembered for half a second or until any credential changes; keys that are not
 * found are looked up each time. Requests with the same key share one look-up.
 */
export class KeyOwners {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #known = new Map<string, { owner: KeyOwner; until: number }>();
  readonly #lookups = new Map<string, Promise<KeyOwner | null>>();
  #generation = 0;
  readonly #unsubscribe: () => void;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#unsubscribe = database.hints.subscribe(credentialsKey, () => this.#forget());
  }

  /** At once when it is known, so that most requests wait for nothing here. */
  find(key: string): KeyOwner | null | Promise<KeyOwner | null> {
    const digest = digestSecret(key);
    const known = this.#known.get(digest);
    if (known && this.#clock.monotonic() < known.until) return known.owner;
    return this.#lookups.get(digest) ?? this.#lookUp(digest);
  }

  #lookUp(digest: string): Promise<KeyOwner | null> {
    // Trust begins before the question is asked: the answer may be older than it looks.
    const until = this.#clock.monotonic() + trustMs;
    const generation = this.#generation;
    const lookup = this.#database
      .run(findKeyOwner, digest)
      .then((owner) => {
        if (owner && generation === this.#generation) this.#remember(digest, owner, until);
        return owner;
      })
      .finally(() => {
        if (this.#lookups.get(digest) === lookup) this.#lookups.delete(digest);
      });
    this.#lookups.set(digest, lookup);
    return lookup;
  }

  #remember(digest: string, owner: KeyOwner, until: number): void {
    if (this.#known.size >= maxEntries) this.#known.clear();
    this.#known.set(digest, { owner, until });
  }

  #forget(): void {
    this.#generation++;
    this.#known.clear();
    this.#lookups.clear();
  }

  close(): void {
    this.#unsubscribe();
  }
}
