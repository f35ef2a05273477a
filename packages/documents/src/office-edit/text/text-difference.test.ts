import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listChanges, narrowChange, type TextChange } from './text-difference.ts';

function apply(text: string, changes: readonly TextChange[]): string {
  return changes.toReversed().reduce((made, { from, to, text: part }) => `${made.slice(0, from)}${part}${made.slice(to)}`, text);
}

const words = fc
  .array(fc.constantFrom('the', 'party', ' ', '  ', ',', 'Grüße', '😀', '\u{1f1e9}', '日本', '30', '('))
  .map((parts) => parts.join(''));

describe('the difference of two texts', () => {
  it('makes the one of the other', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(apply(before, [narrowChange(before, after)])).toBe(after);
        expect(apply(before, listChanges(before, after))).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is in whole words, each where it changed', () => {
    const before = 'The Client shall pay within thirty (30) days of the date of the invoice.';
    const after = 'The Customer shall pay within fourteen (14) days of receipt of the invoice.';
    const shown = listChanges(before, after).map(({ from, to, text }) => [before.slice(from, to), text]);
    expect(shown).toEqual([
      ['Client', 'Customer'],
      ['thirty', 'fourteen'],
      ['30', '14'],
      ['the date', 'receipt'],
    ]);
  });

  it('is the whole text where hardly a word is the same, or there are too many', () => {
    expect(listChanges('one two three four', 'five six seven')).toHaveLength(1);
    const [a, b] = ['a', 'b'].map((letter) => `${letter} x `.repeat(3_000));
    expect(listChanges(a ?? '', b ?? '')).toHaveLength(1);
  });
});
