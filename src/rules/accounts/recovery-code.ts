import { encodeBase32 } from './totp.ts';

/** The random bytes of a code: too many to guess, so that a plain digest protects it at rest. */
export const recoveryCodeBytes = 10;

/** How many codes an account gets at once. */
export const recoveryCodeCount = 10;

/** A recovery code as people see it, such as `abcd-efgh-ijkl-mnop`. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  return (encodeBase32(bytes).toLowerCase().match(/.{4}/g) ?? []).join('-');
}

/** What was typed as a recovery code, in the form of `formatRecoveryCode`; null for anything else. */
export function readRecoveryCode(typed: string): string | null {
  const letters = typed.slice(0, 100).toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'o').replaceAll('1', 'l');
  return /^[a-z2-7]{16}$/.test(letters) ? (letters.match(/.{4}/g) ?? []).join('-') : null;
}
