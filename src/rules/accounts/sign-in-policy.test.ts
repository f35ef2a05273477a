import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideAdmission, readVerifiedEmail, type SignInPolicy } from './sign-in-policy.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

const open: SignInPolicy = { domains: [], canSignUp: false, trustsEmail: false };
const closed: SignInPolicy = { ...open, domains: ['example.com'] };
const ann = { email: 'Ann@Example.com', email_verified: true };

it('an email address is accepted if the provider verified it, or is trusted for all of its addresses', () => {
  expect(readVerifiedEmail(ann, open)).toBe('ann@example.com');
  expect(readVerifiedEmail({ ...ann, email_verified: 'true' }, open)).toBe('ann@example.com');
  for (const verified of [false, undefined, null, 'false', 1, 'TRUE', {}]) {
    const claims = { ...ann, email_verified: verified };
    expect([readVerifiedEmail(claims, open), readVerifiedEmail(claims, { trustsEmail: true })]).toEqual([
      null,
      'ann@example.com',
    ]);
  }
  for (const email of [
    undefined,
    7,
    '',
    'ann',
    'a b@example.com',
    'a@b@c',
    'a\n@example.com',
    '\ud800@example.com',
    `${'x'.repeat(300)}@y`,
  ]) {
    expect(readVerifiedEmail({ email, email_verified: true }, { trustsEmail: true })).toBeNull();
  }
});

it('lower-casing never turns lookalike letters into ASCII', () => {
  // The Kelvin sign becomes a plain k, and a dotted capital I begins with a plain i.
  expect(readVerifiedEmail({ email: 'mi\u212ae@example.com', email_verified: true }, open)).not.toBe('mike@example.com');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const email = readVerifiedEmail({ email: `${text}@example.com`, email_verified: true }, open);
      if (email !== null && /^\p{ASCII}*$/u.test(email)) expect(text).toMatch(/^\p{ASCII}*$/u);
    }),
  );
});

it('allowed domains are checked at every sign-in; without them, only new users need a verified address', () => {
  expect(decideAdmission(ann, closed, false)).toEqual({ email: 'ann@example.com' });
  expect(decideAdmission({}, open, true)).toEqual({ email: null });
  expect(decideAdmission({}, open, false)).toEqual({ refusal: 'unverified', email: null });
  expect(decideAdmission({ ...ann, email_verified: false }, open, false)).toEqual({
    refusal: 'unverified',
    email: 'ann@example.com',
  });
  expect(decideAdmission({}, closed, true)).toEqual({ refusal: 'unverified', email: null });
  for (const email of ['ann@example.org', 'ann@sub.example.com', 'ann@example.com.evil.org', 'ann@evilexample.com']) {
    expect(decideAdmission({ ...ann, email }, closed, true)).toEqual({ refusal: 'domain', email });
  }
});
