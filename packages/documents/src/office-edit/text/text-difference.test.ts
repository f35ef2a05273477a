import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listChanges, narrowChange, type TextChange } from './text-difference.ts';

function apply(text: string, changes: readonly TextChange[]): string {
  return changes.toReversed().reduce((made, { from, to, text: part }) => `${made.slice(0, from)}${part}${made.slice(to)}`, text);
}

const words = fc
  .array(fc.constantFrom('the', 'party', ' ', '  ', ',', 'Grüße', '😀', '\u{1f1e9}', '日本', '30', '(', ')', '1,5', '.'))
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

  const show = (before: string, after: string) =>
    listChanges(before, after).map(({ from, to, text }) => [before.slice(from, to), text]);

  it('is in whole words, each where it changed, if three words or more stay between', () => {
    const before = 'The Client shall pay within thirty (30) days of the date of the invoice.';
    const after = 'The Customer shall pay within fourteen (14) days of receipt of the invoice.';
    expect(show(before, after)).toEqual([
      ['Client', 'Customer'],
      ['thirty (30) days of the date', 'fourteen (14) days of receipt'],
    ]);
  });

  it('is one change where little stays, and no bracket, number, or shred of the old text is used again', () => {
    const before = 'shall not exceed the fees paid in the one (1) month before the claim.';
    const after =
      'shall not exceed the greater of (a) £250,000 and (b) 150% of the Fees paid or payable in the 12 months before the claim.';
    expect(show(before, after)).toEqual([
      ['fees paid in the one (1) month', 'greater of (a) £250,000 and (b) 150% of the Fees paid or payable in the 12 months'],
    ]);
    expect(show('within thirty (30) days', 'within ten (10) days')).toEqual([['thirty (30)', 'ten (10)']]);
    expect(show('(the old term) ends', 'the new one ends')).toEqual([['(the old term)', 'the new one']]);
    expect(show('clause (4)', 'clause (5)')).toEqual([['4', '5']]);
    expect(show('a sum of £250,000 or 1.5 %', 'a sum of £150,000 or 1.7 %')).toEqual([['250,000 or 1.5', '150,000 or 1.7']]);
  });

  it('is the whole text where hardly a word is the same, or there are too many', () => {
    expect(listChanges('one two three four', 'five six seven')).toHaveLength(1);
    const [a, b] = ['a', 'b'].map((letter) => `${letter} x `.repeat(3_000));
    expect(listChanges(a ?? '', b ?? '')).toHaveLength(1);
  });
});
