import { newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { KeyScope } from '../../rules/accounts/access.ts';

/** What is stored of a new key: never its secret. */
export interface StoredKey {
  keyId: string;
  name: string;
  digest: string;
  /** The last four characters, to tell keys apart. */
  tail: string;
}

/** What limits a key. */
export interface KeyLimits {
  scope: KeyScope;
  /** When it ends; null for never. */
  expiresAtMs: number | null;
}

export const noLimits: KeyLimits = { scope: 'everything', expiresAtMs: null };

function markLimited(digest: string): string {
  return `limited ${digest}`;
}

/** The digest by which a key with these limits is found: versions that know of no limits never find one that has some. */
export function digestWith(digest: string, { scope, expiresAtMs }: KeyLimits): string {
  return scope === 'everything' && expiresAtMs === null ? digest : markLimited(digest);
}

/** The digests under which a key may be stored. */
export function digestsOf(digest: string): [string, string] {
  return [digest, markLimited(digest)];
}

export function storedKey(secret: string, name: string, nowMs: number): StoredKey {
  return { keyId: newId(nowMs), name, digest: digestSecret(secret), tail: secret.slice(-4) };
}
