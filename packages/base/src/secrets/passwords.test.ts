import { describe, expect, it } from 'vitest';
import { argon2id, Passwords } from './passwords.ts';

describe('a password', () => {
  it('is verified in any encoding of the same text, and no other is', async () => {
    const passwords = new Passwords();
    const hashed = await passwords.hash('pässword\u212B');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.verify('pässword\u00C5', hashed)).toBe(true);
    expect(await passwords.verify('pässwordÅ ', hashed)).toBe(false);
    expect(await passwords.verify('', hashed)).toBe(false);
    expect(await passwords.hash('pässwordÅ')).not.toBe(hashed);
  });

  it('is wrong if none is set, after the same work as if one is', async () => {
    const work: unknown[] = [];
    const passwords = new Passwords((parameters) => {
      const { message, nonce, ...cost } = parameters;
      work.push({ ...cost, message, nonceBytes: Buffer.from(nonce as Uint8Array).length });
      return argon2id(parameters);
    });
    const hashed = await passwords.hash('one');
    const observe = async (stored: string | null) => {
      work.length = 0;
      expect(await passwords.verify('two', stored)).toBe(false);
      return [...work];
    };
    const known = await observe(hashed);
    expect(known).toEqual([{ message: 'two', nonceBytes: 16, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }]);
    expect(await observe(null)).toEqual(known);
    expect(await observe('nonsense')).toEqual(known);
    expect(await passwords.verify('', 'nonsense')).toBe(false);
  });

  it('is rejected immediately while too many are queued, and accepted again afterward', async () => {
    const passwords = new Passwords();
    const flood = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify('x', null)));
    const refused = flood.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(26);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterS: 2 });
    expect(await passwords.verify('x', null)).toBe(false);
  });
});
