import { describe, expect, it } from 'vitest';
import { argon2id, Passwords } from './passwords.ts';

describe('a password', () => {
  it('is verified in any encoding of the same text, and no other is', async () => {
    const passwords = new Passwords();
    const hashed = await passwords.hash('pässword\u212B', 'a1');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.verify('pässword\u00C5', hashed, 'a1')).toBe(true);
    expect(await passwords.verify('pässwordÅ ', hashed, 'a1')).toBe(false);
    expect(await passwords.verify('', hashed, 'a1')).toBe(false);
    expect(await passwords.hash('pässwordÅ', 'a1')).not.toBe(hashed);
  });

  it('is wrong if none is set, after the same work as if one is', async () => {
    const work: unknown[] = [];
    const passwords = new Passwords((parameters) => {
      const { message, nonce, ...cost } = parameters;
      work.push({ ...cost, message, nonceBytes: Buffer.from(nonce as Uint8Array).length });
      return argon2id(parameters);
    });
    const hashed = await passwords.hash('one', 'a1');
    const observe = async (stored: string | null) => {
      work.length = 0;
      expect(await passwords.verify('two', stored, 'a1')).toBe(false);
      return [...work];
    };
    const known = await observe(hashed);
    expect(known).toEqual([{ message: 'two', nonceBytes: 16, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }]);
    expect(await observe(null)).toEqual(known);
    expect(await observe('nonsense')).toEqual(known);
    expect(await passwords.verify('', 'nonsense', 'a1')).toBe(false);
  });

  it('is rejected immediately while too many of one owner are queued, and accepted again afterward', async () => {
    const passwords = new Passwords();
    const flood = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.verify('x', null, '192.0.2.1')));
    const refused = flood.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(24);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterS: 2 });
    expect(await passwords.verify('x', null, '192.0.2.1')).toBe(false);
  });

  it('is checked next, however many somebody else has queued, and while they are rejected', async () => {
    const first = Promise.withResolvers<Uint8Array>();
    let begun = 0;
    const passwords = new Passwords(() => (++begun === 1 ? first.promise : Promise.resolve(new Uint8Array(32))));
    const flood = Promise.allSettled(Array.from({ length: 40 }, () => passwords.verify('x', null, '192.0.2.1')));
    expect(await passwords.verify('x', null, '192.0.2.2')).toBe(false);
    expect(begun).toBe(2);
    first.resolve(new Uint8Array(32));
    await flood;
    expect(begun).toBe(17);
  });
});
