import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRecoveryCode, readRecoveryCode, recoveryCodeBytes } from './recovery-code.ts';

describe('recovery codes', () => {
  it('are read back as they were shown, in capitals, without hyphens, and with spaces', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: recoveryCodeBytes, maxLength: recoveryCodeBytes }), (bytes) => {
        const code = formatRecoveryCode(bytes);
        expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
        const typed = [
          code,
          ` ${code.toUpperCase()}\n`,
          code.replaceAll('-', ''),
          code.replaceAll('-', ' '),
          code.replaceAll('o', '0'),
        ];
        expect(new Set(typed.map(readRecoveryCode))).toEqual(new Set([code]));
      }),
    );
  });

  it('are nothing else that is typed', () => {
    for (const typed of [
      '',
      '123456',
      'abcd-efgh-ijkl-mno',
      'abcd-efgh-ijkl-mnopq',
      'äbcd-efgh-ijkl-mnop',
      'abcd-efgh-ijkl-mn9p',
    ]) {
      expect(readRecoveryCode(typed)).toBeNull();
    }
  });
});
