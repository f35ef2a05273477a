import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const flags = { userPresent: 1, userVerified: 4, attested: 64 };

/** How an answer differs from an honest one. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  signCount?: number;
  userId?: string;
}

/** A security key in software, with one passkey. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(24);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userId = '';
  #count = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Makes the passkey; returns the credential as a browser would send it. */
  create(options: Record<string, unknown>, changes: Deviation = {}): string {
    const { challenge, user, rp } = options as { challenge: string; user: { id: string }; rp: { id: string } };
    this.#userId = user.id;
    const length = Buffer.from([0, this.id.length]);
    // The key follows in CBOR, which nobody reads: browsers also say it as SubjectPublicKeyInfo.
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, Buffer.from([0xa0])]);
    const authenticatorData = base64url(Buffer.concat([this.#authData(rp.id, flags.attested, changes), attested]));
    const publicKey = base64url(this.#keys.publicKey.export({ format: 'der', type: 'spki' }));
    const clientDataJSON = this.#clientData('webauthn.create', { challenge, ...changes });
    return this.#credential({ clientDataJSON, authenticatorData, publicKey, transports: ['internal'] });
  }

  /** Uses the passkey; returns the credential as a browser would send it. */
  use(options: Record<string, unknown>, changes: Deviation = {}): string {
    const { challenge, rpId } = options as { challenge: string; rpId: string };
    this.#count += 1;
    const authData = this.#authData(rpId, 0, { signCount: this.#count, ...changes });
    const clientDataJSON = this.#clientData('webauthn.get', { challenge, ...changes });
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = base64url(sign('sha256', Buffer.concat([authData, hash]), this.#keys.privateKey));
    const userHandle = changes.userId ?? this.#userId;
    return this.#credential({ clientDataJSON, authenticatorData: base64url(authData), signature, userHandle });
  }

  #clientData(type: string, { challenge, origin = this.#origin }: Deviation): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData(rpId: string, more: number, { rpId: other = rpId, isVerified = true, signCount = 0 }: Deviation): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const flag = flags.userPresent | (isVerified ? flags.userVerified : 0) | more;
    return Buffer.concat([createHash('sha256').update(other).digest(), Buffer.from([flag]), count]);
  }

  #credential(response: Record<string, unknown>): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
