import { describe, expect, it } from 'vitest';
import { listGaps } from './output-gaps.ts';

describe('the gaps of a result', () => {
  it('are its nulls and empty texts, wherever they are', () => {
    const value = { name: ' ', size: 0, isOpen: false, owner: { mail: null }, rows: [{ vat: null }, 'x', null] };
    expect(listGaps(value)).toEqual(['.name', '.owner.mail', '.rows[2]', '.rows[0].vat']);
    expect(listGaps(null)).toEqual(['the whole value']);
  });

  it('are not what the answer says to be null, by the name of the field', () => {
    const value = { liability_cap: null, officer: null, city: null, state: '' };
    expect(listGaps(value, 'The contract has no cap. `liability_cap` and `officer` are null. The city is unknown.')).toEqual([
      '.city',
      '.state',
    ]);
    expect(listGaps(value, `officers: null; city ${'x'.repeat(80)} null; estate is nullified`)).toEqual([
      '.liability_cap',
      '.officer',
      '.city',
      '.state',
    ]);
  });

  it('of rows in lists stay gaps, because an answer cannot say which row it means', () => {
    expect(listGaps({ rows: [{ vat: null }] }, 'vat: null')).toEqual(['.rows[0].vat']);
  });
});
