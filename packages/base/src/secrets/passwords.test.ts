import { describe, expect, it } from 'vitest';
import { Passwords } from './passwords.ts';

describe('a password', () => {
  it('is known again, in any spelling of the same text, and no other is', async () => {
    const passwords = new Passwords();
    const hashed = await passwords.hash('pässword\u212B');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.verify('pässword\u00C5', hashed)).toBe(true);
    expect(await passwords.verify('pässwordÅ ', hashed)).toBe(false);
    expect(await passwords.verify('', hashed)).toBe(false);
    expect(await passwords.hash('pässwordÅ')).not.toBe(hashed);
  });

  it('is wrong where none is set, after as much work as where one is', async () => {
    const passwords = new Passwords();
    const hashed = await passwords.hash('one');
    const measure = async (stored: string | null) => {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const before = performance.now();
        expect(await passwords.verify('two', stored)).toBe(false);
        times.push(performance.now() - before);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await measure(hashed), await measure(null)];
    expect(unknown).toBeGreaterThan(known / 2);
    expect(await passwords.verify('', 'nonsense')).toBe(false);
  });

  it('is refused at once when a flood of them waits, and taken again behind it', async () => {
    const passwords = new Passwords();
    const flood = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify('x', null)));
    const refused = flood.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(26);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterS: 2 });
    expect(await passwords.verify('x', null)).toBe(false);
  });
});
