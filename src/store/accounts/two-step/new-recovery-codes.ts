import { randomBytes } from 'node:crypto';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { formatRecoveryCode, recoveryCodeBytes, recoveryCodeCount } from '../../../rules/accounts/recovery-code.ts';

/** The stored form of a recovery code, as `readRecoveryCode` returns it. */
export function digestOfRecoveryCode(accountId: string, code: string): string {
  return digestSecret(`recovery code ${accountId} ${code}`);
}

/** New recovery codes of an account: to be shown once, and their stored forms. */
export function newRecoveryCodes(accountId: string): { codes: string[]; digests: string[] } {
  const codes = Array.from({ length: recoveryCodeCount }, () => formatRecoveryCode(randomBytes(recoveryCodeBytes)));
  return { codes, digests: codes.map((code) => digestOfRecoveryCode(accountId, code)) };
}
