import { createHash } from 'node:crypto';

/** SHA-256 in hex: the stored form and lookup key of a random credential. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
