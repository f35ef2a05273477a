import { newId, randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { NewAppSecret } from './oauth-secrets.ts';

/** A new client secret of 256 random bits, and what may be stored of it. */
export function makeAppSecret(now: number): { text: string; stored: NewAppSecret } {
  const text = `secret_${randomBase62(43)}`;
  return { text, stored: { id: newId(now), digest: digestSecret(text), tail: text.slice(-4), createdAtMs: now } };
}
