import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CellSource, FormulaEngine, type Workbook } from './formula-evaluation.ts';
import { parseFormula } from './formula-parser.ts';
import { FormulaError } from './formula-values.ts';

/** Sheet "S": A1:A3 are 1, 2, 3; B1:B3 are x, y, x; everything else is empty. */
function workbook(extra: Record<string, CellSource> = {}): Workbook {
  const cells: Record<string, CellSource> = {
    ...{ '0,0': { value: 1 }, '1,0': { value: 2 }, '2,0': { value: 3 } },
    ...{ '0,1': { value: 'x' }, '1,1': { value: 'y' }, '2,1': { value: 'X' } },
    ...extra,
  };
  return {
    hasSheet: (name) => name === 'S',
    size: () => ({ rows: 3, columns: 3 }),
    read: (_, row, column) => cells[`${row},${column}`],
  };
}

function compute(formula: string, extra: Record<string, CellSource> = {}) {
  const value = new FormulaEngine(workbook(extra)).compute('S', 9, 9, { formula });
  return value instanceof FormulaError ? value.code : value;
}

describe('formulas', () => {
  it.each([
    ['=1+2*3^2', 19],
    ['=-2^2', 4],
    ['=(1+2)*3%', 0.09],
    ['=0.1+0.2', 0.3],
    ['="a"&1&TRUE', 'a1TRUE'],
    ['=1/0', '#DIV/0!'],
    ['=IFERROR(1/0,"none")', 'none'],
    ['=SUM(A1:A3,10)', 16],
    ['=SUM(Sales)', null],
    ['=AVERAGE($A$1:A3)', 2],
    ['=SUMIF(B1:B3,"x",A1:A3)', 4],
    ['=COUNTIF(A1:A3,">=2")', 2],
    ['=COUNTIFS(B1:B3,"x*",A1:A3,"<3")', 1],
    ['=IF(A1>A2,"more","less")', 'less'],
    ['=VLOOKUP(2,A1:B3,2,FALSE)', 'y'],
    ['=INDEX(A1:B3,3,2)', 'X'],
    ['=MATCH(3,A1:A3,0)', 3],
    ['=ROUND(1.005,2)', 1.01],
    ['=ROUND(-2.5,0)', -3],
    ['=MOD(-1,3)', 2],
    ['=MEDIAN(A1:A3)&"/"&STDEV(A1:A3)', '2/1'],
    ['=S!A2+s!A1', '#REF!'],
    ["='S'!A2", 2],
    ['=RANK(A3,A$1:A$3)', 1],
    ['=RANK(1,A1:A3)&RANK.EQ(1,A1:A3,1)', '31'],
    ['=RANK.AVG(2,A1:B3)', 2],
    ['=RANK(9,A1:A3)', '#N/A'],
    ['=LARGE(A1:A3,1)-SMALL(A1:A3,2)', 1],
    ['=LARGE(A1:A3,4)', '#NUM!'],
    ['=LEFT("hello",2)&RIGHT("hello",2)&MID("hello",3,1)', 'helol'],
    ['=D9', 0],
    ['=AND(A1=1,NOT(A2=1))', true],
    ['=TODAY()', undefined],
    ['=SUM(TODAY(),1)', undefined],
  ])('%s is %s', (formula, value) => {
    if (value === null) expect(() => compute(formula)).toThrow('uses the name SALES');
    else expect(compute(formula)).toBe(value);
  });

  it('leave cycles and long chains to spreadsheet programs', () => {
    expect(compute('=C1', { '0,2': { formula: '=C2' }, '1,2': { formula: '=C1' } })).toBeUndefined();
    const chain = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${at},2`, { formula: `=C${at + 2}+1` }]));
    expect(compute('=C1', chain)).toBeUndefined();
  });

  it.each([
    '=WEBSERVICE("http://x.test/"&A1)',
    '=HYPERLINK("http://x.test","x")',
    '=_xlfn.WEBSERVICE("x")',
    '=IMAGE("http://x.test")',
    "=cmd|' /C calc'!A0",
    '=[other.xlsx]S!A1',
    '={1,2}',
    '=SUM(A1:A2',
    '=1+',
    '=A1 B1',
    `=${'('.repeat(200)}1${')'.repeat(200)}`,
    `=${'-'.repeat(1_900)}1`,
    `=${'1+'.repeat(2_000)}1`,
  ])('reject %s', (formula) => {
    expect(() => parseFormula(formula)).toThrow(/^formula: /);
  });

  it.each([
    ['=SUM(A:A)', 6],
    ['=SUM(S!$A:$B)', 6],
    ['=SUMIFS(A:A,B:B,"x")', 4],
    ['=SUM(2:2)', 2],
    ["=COUNTA('S'!1:$2)", 4],
  ])('%s reads whole columns and rows as far as there is data', (formula, value) => {
    expect(compute(formula)).toBe(value);
  });

  it('leave whole columns of a sheet of unknown size to spreadsheet programs', () => {
    const { size: _, ...unmeasured } = workbook();
    expect(new FormulaEngine(unmeasured).compute('S', 9, 9, { formula: '=SUM(A:A)' })).toBeUndefined();
  });

  it.each([
    ['=DATE(2026,1,31)', 46_053],
    ['=DATE(2026,13,1)=DATE(2027,1,1)', true],
    ['=YEAR(46053)*10000+MONTH(46053)*100+DAY(46053.9)', 20_260_131],
    ['=EDATE(46053,1)-DATE(2026,2,28)', 0],
    ['=EOMONTH(46053,-2)-DATE(2025,11,30)', 0],
    ['=YEAR(1)', '#NUM!'],
    ['=SUMIF(A1:A3,"<"&DATE(1900,1,3),A1:A3)', 6],
  ])('%s is %s, as in a spreadsheet program', (formula, value) => {
    expect(compute(formula)).toBe(value);
  });

  it('say which addresses can be read where one cannot', () => {
    expect(() => parseFormula('=SUM(Sheet1!!A1)')).toThrow('cells such as B2 or Sheet!B2, ranges such as B2:D61,');
  });

  it('yield a value or a Fault for any input', () => {
    const piece = fc.constantFrom(
      'A1',
      'B2',
      'SUM(',
      'IF(',
      ')',
      ',',
      '+',
      '-',
      '*',
      '/',
      '^',
      '&',
      '%',
      '"x"',
      '1',
      ':',
      '(',
      '<>',
      ' ',
      'S!',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const formula = `=${pieces.join('')}`;
        try {
          parseFormula(formula);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_argument' });
          return;
        }
        const value = compute(formula);
        expect(['string', 'number', 'boolean', 'undefined']).toContain(typeof value);
      }),
    );
  });
});
