import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealBroken, SealedBox } from './sealed-box.ts';

const box = new SealedBox('thirty-two-random-characters-or-so');

describe('a sealed box', () => {
  it('opens text sealed with the same secret for the same place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        const same = new SealedBox('thirty-two-random-characters-or-so');
        expect(same.open(box.seal(text, place), place)).toBe(text);
      }),
    );
  });

  it('does not open text sealed with another secret or for another place', () => {
    const sealed = box.seal('text', 'keys 1');
    expect(() => new SealedBox('thirty-two-random-characters-or-sO').open(sealed, 'keys 1')).toThrow(SealBroken);
    expect(() => box.open(sealed, 'keys 2')).toThrow(SealBroken);
  });

  it('opens what the secret before sealed, seals it anew on request, and then needs that secret no longer', () => {
    const next = new SealedBox('another-thirty-two-characters-or-so', 'thirty-two-random-characters-or-so');
    const sealed = box.seal('text', 'keys 1');
    expect(next.open(sealed, 'keys 1')).toBe('text');
    const anew = next.reseal(sealed, 'keys 1') ?? '';
    expect(new SealedBox('another-thirty-two-characters-or-so').open(anew, 'keys 1')).toBe('text');
    expect(next.reseal(anew, 'keys 1')).toBeNull();
    expect(() => next.reseal(sealed, 'keys 2')).toThrow(SealBroken);
    expect(() => box.open(next.seal('text', 'p'), 'p')).toThrow(SealBroken);
  });

  it('detects every change, and any text it did not create', () => {
    const bytes = Buffer.from(box.seal('text', 'place').slice(3), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      expect(() => box.open(`v1.${Buffer.from(changed).toString('base64url')}`, 'place')).toThrow(SealBroken);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => box.open(text, 'place')).toThrow(SealBroken);
        expect(() => box.open(`v1.${text}`, 'place')).toThrow(SealBroken);
      }),
    );
  });

  it('reveals neither the text nor that two texts are equal', () => {
    const [first, second] = [box.seal('canary', 'p'), box.seal('canary', 'p')];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.slice(3), 'base64url').toString('latin1')).not.toContain('canary');
  });
});
