import type { Clock } from '@errand/base/clock.ts';
import { credentialsKey, type Hints } from '@errand/base/signals/hints.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';

/** How long a revoked credential can keep working if the hint about it is lost. */
const cacheTtlMs = 500;
const maxEntries = 10_000;

/**
 * Finds the owner of an API key, access token, or session. Found owners are cached for half a second or until any credential changes;
 * unknown credentials are looked up each time. Requests with the same credential share one lookup.
 */
export class CredentialOwners<Owner> {
  readonly #clock: Clock;
  readonly #search: (digest: string, credential: string) => Promise<Owner | null>;
  readonly #known = new Map<string, { owner: Owner; until: number }>();
  readonly #lookups = new Map<string, Promise<Owner | null>>();
  #generation = 0;
  readonly #unsubscribe: () => void;

  /** @param search for the owner of the credential with this digest, in the store */
  constructor(hints: Hints, clock: Clock, search: (digest: string, credential: string) => Promise<Owner | null>) {
    this.#clock = clock;
    this.#search = search;
    this.#unsubscribe = hints.subscribe(credentialsKey, () => this.#remove());
  }

  /** Synchronous if cached, so that most requests do not wait here. */
  find(credential: string): Owner | null | Promise<Owner | null> {
    const digest = digestSecret(credential);
    const known = this.#known.get(digest);
    if (known && this.#clock.monotonic() < known.until) return known.owner;
    return this.#lookups.get(digest) ?? this.#lookUp(digest, credential);
  }

  #lookUp(digest: string, credential: string): Promise<Owner | null> {
    // Trust begins before the question is asked: the answer may be older than it looks.
    const until = this.#clock.monotonic() + cacheTtlMs;
    const generation = this.#generation;
    const lookup = this.#search(digest, credential)
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

  #remember(digest: string, owner: Owner, until: number): void {
    if (this.#known.size >= maxEntries) this.#known.clear();
    this.#known.set(digest, { owner, until });
  }

  #remove(): void {
    this.#generation++;
    this.#known.clear();
    this.#lookups.clear();
  }

  close(): void {
    this.#unsubscribe();
  }
}
