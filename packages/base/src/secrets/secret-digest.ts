import { createHash } from 'node:crypto';

/** SHA-256 in hex: what is stored of a random credential, and how it is looked up. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
