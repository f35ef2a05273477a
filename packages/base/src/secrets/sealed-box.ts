import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const version = 'v1';
const [keyBytes, ivBytes, tagBytes] = [32, 12, 16];

/** A sealed text that this box cannot open: sealed with another secret, for another place, or damaged. */
export class SealBroken extends Error {
  constructor() {
    super('sealed with another secret, or damaged');
    this.name = 'SealBroken';
  }
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'errand', 'sealed box', keyBytes));
}

function openWith(key: Buffer, sealed: string, place: string): string {
  const [head, data = ''] = sealed.split('.', 2);
  const bytes = Buffer.from(data, 'base64url');
  if (head !== version || bytes.length < ivBytes + tagBytes) throw new SealBroken();
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    throw new SealBroken();
  }
}

/** Encrypts small secrets at rest (AES-256-GCM). A value sealed for one place opens only there. */
export class SealedBox {
  readonly #key: Buffer;
  readonly #previousKey: Buffer | null;

  /**
   * @param secret random text, not a memorable password: the box is as strong as it
   * @param previous the secret before it, which still opens what it has sealed
   */
  constructor(secret: string, previous: string | null = null) {
    this.#key = deriveKey(secret);
    this.#previousKey = previous === null ? null : deriveKey(previous);
  }

  /** @param place names what the text is, such as a table and a key, so that sealed texts cannot be exchanged */
  seal(text: string, place: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.#key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${sealed.toString('base64url')}`;
  }

  /** Decrypts a text. Throws `SealBroken`. */
  open(sealed: string, place: string): string {
    try {
      return openWith(this.#key, sealed, place);
    } catch (error) {
      if (this.#previousKey === null || !(error instanceof SealBroken)) throw error;
      return openWith(this.#previousKey, sealed, place);
    }
  }

  /** The text resealed with the current secret if the previous one sealed it; null if the current one did. Throws `SealBroken`. */
  reseal(sealed: string, place: string): string | null {
    try {
      openWith(this.#key, sealed, place);
      return null;
    } catch {
      return this.seal(this.open(sealed, place), place);
    }
  }
}
