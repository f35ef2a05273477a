import { describe, expect, it } from 'vitest';
import { describeFormulas } from './sheet-formulas.ts';

describe('the formulas of a sheet', () => {
  it('are named once for all cells that compute the same of their own row or column', () => {
    const formulas = new Map<string, string>();
    for (let row = 1; row <= 9; row++) formulas.set(`${row},4`, `SUM(B${row + 1}:D${row + 1})`);
    for (const [at, name] of ['B', 'C', 'D', 'E'].entries()) formulas.set(`10,${at + 1}`, `SUM(${name}2:${name}10)`);
    formulas.set('11,1', 'B11/$E$11');
    formulas.set('11,27', 'Costs!E11*2');
    expect(describeFormulas(formulas).slice(1)).toEqual([
      'E2:E10 =SUM(B2:D2)',
      'B11:E11 =SUM(B2:B10)',
      'B12 =B11/$E$11',
      'AB12 =Costs!E11*2',
    ]);
  });

  it('are apart where one of a column is another, as it is in a sheet with a mistake', () => {
    const formulas = new Map([
      ['1,2', 'A2*B2'],
      ['2,2', 'A3*B2'],
      ['3,2', 'A4*B4'],
    ]);
    expect(describeFormulas(formulas).slice(1)).toEqual(['C2 =A2*B2', 'C3 =A3*B2', 'C4 =A4*B4']);
  });

  it('are bounded in number and length', () => {
    const formulas = new Map(Array.from({ length: 60 }, (_, at) => [`${at * 2},0`, `${'x'.repeat(400)}+${at}`]));
    const lines = describeFormulas(formulas);
    expect(lines).toHaveLength(42);
    expect(lines.at(-1)).toBe('and 20 more');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(320);
    expect(describeFormulas(new Map())).toEqual([]);
  });
});
