import { newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';

/** What is stored of a new key: never its secret. */
export interface StoredKey {
  keyId: string;
  name: string;
  digest: string;
  /** The last four characters, to tell keys apart. */
  tail: string;
}

export function storedKey(secret: string, name: string, nowMs: number): StoredKey {
  return { keyId: newId(nowMs), name, digest: digestSecret(secret), tail: secret.slice(-4) };
}
