import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in hex: what is stored of a random credential, and how it is looked up. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares without telling by its duration where the two differ. */
export function secretsEqual(left: string, right: string): boolean {
  const a = Buffer.from(digestSecret(left));
  const b = Buffer.from(digestSecret(right));
  return timingSafeEqual(a, b);
}
