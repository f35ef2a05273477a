import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBase32, findTotpStep, readTotpCode, totpCode, totpStepAt, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
const never = -1;

describe('codes of authenticator apps', () => {
  // Of RFC 6238, appendix B; its codes have eight digits, and those of six are their end.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of the standard at %d seconds', (seconds, code) => {
    expect(totpCode(secret, totpStepAt(seconds * 1000))).toBe(code.slice(2));
  });

  it('are accepted in their period, the one before, and the one after, and in no other', () => {
    const now = 1_700_000_000_000;
    const step = totpStepAt(now);
    const tried = [-3, -2, -1, 0, 1, 2, 3].map((off) =>
      findTotpStep(secret, totpCode(secret, step + off), { now, lastStep: never }),
    );
    expect(tried).toEqual([null, null, step - 1, step, step + 1, null, null]);
  });

  it('are accepted once: not in the period of the last one, nor before it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 2 ** 40 }), fc.integer({ min: -1, max: 1 }), (step, off) => {
        const now = step * 30_000;
        const code = totpCode(secret, step + off);
        expect(findTotpStep(secret, code, { now, lastStep: step + off - 1 })).not.toBeNull();
        const again = findTotpStep(secret, code, { now, lastStep: step + off });
        expect(again === null || again > step + off).toBe(true);
        expect(findTotpStep(secret, code, { now, lastStep: step + 1 })).toBeNull();
      }),
    );
  });

  it('are read as people type them', () => {
    expect(['123456', ' 123 456 ', '123-456', '12345', '1234567', '', 'abcdef', '١٢٣٤٥٦'].map(readTotpCode)).toEqual([
      ...['123456', '123456', '123456'],
      ...[null, null, null, null, null],
    ]);
    expect(findTotpStep(secret, '１２３４５６', { now: 0, lastStep: never })).toBeNull();
  });

  it('come from a secret that apps take in Base32 and by a URI', () => {
    const samples = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => encodeBase32(Buffer.from(text)));
    expect(samples).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
    const uri = new URL(totpUri('MZXQ', { email: 'a&b@example.com', site: 'errand.example.com' }));
    expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
      ...['otpauth:', 'MZXQ', 'Errand errand.example.com'],
    ]);
    expect(decodeURIComponent(uri.pathname)).toContain('a&b@example.com');
  });
});
