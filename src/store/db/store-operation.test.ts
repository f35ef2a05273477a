import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { padToPowerOfTwo, placeholders } from './store-operation.ts';

describe('padToPowerOfTwo', () => {
  it('repeats the last item, so that lists of many lengths need few statements', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 300 }), (items) => {
        const padded = padToPowerOfTwo(items);
        expect(padded.slice(0, items.length)).toEqual(items);
        expect(new Set(padded.slice(items.length))).toEqual(new Set(padded.length > items.length ? items.slice(-1) : []));
        expect(Number.isInteger(Math.log2(padded.length))).toBe(true);
        expect(padded.length).toBeLessThan(items.length * 2);
      }),
    );
    expect(padToPowerOfTwo([])).toEqual([]);
  });
});

describe('placeholders', () => {
  it('has a row of marks for each row of values', () => {
    expect(placeholders(2, 3)).toBe('(?, ?, ?), (?, ?, ?)');
    expect(placeholders(1, 1)).toBe('(?)');
  });
});
