import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { credentialsKey } from '@errand/base/signals/hints.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { SigningKey } from '../../rules/webhooks/webhook-signature.ts';
import type { Database } from '../../store/db/database.ts';
import { addSigningKey, readSigningKeys, type StoredSigningKey } from '../../store/instance/signing-keys.ts';

/** How long keys stay valid after their replacement (docs/reference/choices.md#webhook-signatures). */
const overlapMs = 7 * 24 * 60 * 60 * 1000;
/** Covers lost hints and expired keys. */
const cacheMs = 60_000;
const rsaBits = 2048;

const generate = promisify(generateKeyPair);

function exportKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

function importKey(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' });
}

export interface SigningKeysParts {
  database: Database;
  clock: Clock;
  /** Null for a process that cannot open the keys of this instance. */
  box: SealedBox | null;
}

/** The keys of the instance that sign deliveries: created on first use, stored encrypted, replaced by `rotate`. */
export class SigningKeys {
  readonly #parts: SigningKeysParts;
  #cached: { keys: Promise<readonly SigningKey[]>; until: number } | undefined;

  constructor(parts: SigningKeysParts) {
    this.#parts = parts;
    parts.database.hints.subscribe(credentialsKey, () => {
      this.#cached = undefined;
    });
  }

  /** The valid keys, newest first: the first one signs, the others may still be trusted by receivers. */
  current(): Promise<readonly SigningKey[]> {
    const now = this.#parts.clock.monotonic();
    if (!this.#cached || this.#cached.until <= now) {
      const keys = this.#load();
      this.#cached = { keys, until: now + cacheMs };
      keys.catch(() => {
        if (this.#cached?.keys === keys) this.#cached = undefined;
      });
    }
    return this.#cached.keys;
  }

  /** New keys sign from now on; the previous ones stay valid for a week. */
  async rotate(): Promise<readonly SigningKey[]> {
    const stored = await this.#parts.database.run(readSigningKeys, null);
    await this.#add((stored[0]?.generation ?? 0) + 1);
    this.#cached = undefined;
    return this.current();
  }

  async #load(): Promise<readonly SigningKey[]> {
    const { database } = this.#parts;
    const stored = await database.run(readSigningKeys, null);
    if (stored.length > 0) return stored.map((key) => this.#open(key));
    await this.#add(1);
    return (await database.run(readSigningKeys, null)).map((key) => this.#open(key));
  }

  async #add(generation: number): Promise<void> {
    const { database, clock } = this.#parts;
    const box = this.#box();
    const [rsa, ed25519] = await Promise.all([generate('rsa', { modulusLength: rsaBits }), generate('ed25519')]);
    await database.run(addSigningKey, {
      generation,
      rsa: box.seal(exportKey(rsa.privateKey), sealedPlaces.signingKey(generation, 'rsa')),
      ed25519: box.seal(exportKey(ed25519.privateKey), sealedPlaces.signingKey(generation, 'ed25519')),
      now: clock.now(),
      overlapMs,
    });
  }

  #open({ generation, rsa, ed25519, createdAtMs }: StoredSigningKey): SigningKey {
    const box = this.#box();
    return {
      createdAtMs,
      rsa: importKey(box.open(rsa, sealedPlaces.signingKey(generation, 'rsa'))),
      ed25519: importKey(box.open(ed25519, sealedPlaces.signingKey(generation, 'ed25519'))),
    };
  }

  #box(): SealedBox {
    if (this.#parts.box) return this.#parts.box;
    throw new Fault('failed_precondition', 'This process cannot sign webhooks: its ERRAND_SECRET is not that of the others.');
  }
}
