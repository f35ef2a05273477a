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
    const says = (said: string) => listGaps(value, said);
    expect(says('There is no cap. `liability_cap` and `officer` are null. The city is unknown.')).toEqual(['.city', '.state']);
    expect(says('- liability_cap: null\n- **officer** = null\n- "city", "state": null')).toEqual([]);
    expect(says('liability_cap, officer, and city stay null')).toEqual(['.state']);
  });

  it.each([
    'officers: null; suboffice: null; myofficer: null; éofficer: null; officer_2: null',
    'officer: Ann Lee\ncity: null',
    'officer Ann, nullified',
    'The officer is named. null',
    `officer${' '.repeat(80)}null`,
    '',
  ])('stay gaps where an answer says no such thing: %s', (said) => {
    expect(listGaps({ officer: null }, said)).toEqual(['.officer']);
  });

  it('of rows and of inner objects stay gaps, because an answer may mean another one', () => {
    expect(listGaps({ rows: [{ vat: null }] }, 'vat: null')).toEqual(['.rows[0].vat']);
    expect(listGaps({ owner: { mail: null }, buyer: { mail: null } }, 'mail: null')).toEqual(['.owner.mail', '.buyer.mail']);
    expect(listGaps([null], '0: null')).toHaveLength(1);
  });

  it('are found in a long answer without an end', () => {
    const said = `${' and'.repeat(30_000)} ${'and, or '.repeat(30_000)}`;
    expect(listGaps(Object.fromEntries(['and', 'or', 'a'].map((name) => [name, null])), said)).toHaveLength(3);
  });

  it('are found for any name of a field', () => {
    for (const name of ['', ' ', '.*', '(a|a)*$', '\\']) expect(listGaps({ [name]: null }, `x${name}y`)).toHaveLength(1);
  });
});
