import { describe, expect, it } from 'vitest';
import { newPasskeyChallenge, readPasskeyChallenge } from './passkey-challenge.ts';

const now = 1_790_000_000_000;
const secret = 'a secret in a cookie';

describe('the challenge of a sign-in page', () => {
  it('says when it was made, for ten minutes', () => {
    const challenge = newPasskeyChallenge(secret, now);
    expect(challenge).toMatch(/^[\w-]{54}$/);
    expect(readPasskeyChallenge(secret, challenge, now)).toBe(now);
    expect(readPasskeyChallenge(secret, challenge, now + 599_999)).toBe(now);
    expect(readPasskeyChallenge(secret, challenge, now + 600_000)).toBe(null);
    expect(readPasskeyChallenge(secret, challenge, now - 1)).toBe(null);
  });

  it('counts only in the browser it was made for, and only as it is', () => {
    const challenge = newPasskeyChallenge(secret, now);
    expect(readPasskeyChallenge('another secret', challenge, now)).toBe(null);
    for (const broken of ['', 'x', challenge.slice(1), `B${challenge.slice(1)}`, `${challenge}AAAA`]) {
      expect(readPasskeyChallenge(secret, broken, now), broken).toBe(null);
    }
    const later = newPasskeyChallenge(secret, now + 60_000);
    expect(readPasskeyChallenge(secret, later.slice(0, 10) + challenge.slice(10), now + 60_000)).toBe(null);
  });
});
