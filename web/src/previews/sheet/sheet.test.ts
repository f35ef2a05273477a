import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeNumber, writeWords } from './cell-text.ts';
import { guessDelimiter, makeTextSheet } from './separated-text.ts';
import type { CellFacts } from './sheet-cell.ts';
import { nameColumn, presentSheet } from './sheet-data.ts';
import { listCovered, measureColumns } from './sheet-layout.ts';
import { chooseColors } from './sheet-look.ts';

it.each<[number, string, string]>([
  [1234.5, '#,##0.00', '1,234.50'],
  [-1234.5, '#,##0.00;[Red](#,##0.00)', '(1,234.50)'],
  [-1, '"$"#,##0.00', '-$1.00'],
  [2.5, '[$€-407] #,##0.00', '€ 2.50'],
  [0.0725, '0.0%', '7.3%'],
  [1.005, '0.00', '1.01'],
  [-0.001, '0.00', '0.00'],
  [12_345_678, '0.0,,"M"', '12.3M'],
  [1234, '00-00', '12-34'],
  [0.000123, '##0.0E+0', '123.0E-6'],
  [2.5, '# ?/?', '2 1/2'],
  [0.3333333, '# ?/?', '1/3'],
  [5, '#.##', '5'],
  [45_000.75, 'yyyy-mm-dd hh:mm', '2023-03-15 18:00'],
  [45_000, 'dddd, d. mmmm yyyy', 'Wednesday, 15. March 2023'],
  [0.75, 'h:mm AM/PM', '6:00 PM'],
  [1.5, '[h]:mm:ss', '36:00:00'],
  [-3, 'yyyy', '########'],
  [150, '[>100]"big";[<0]"neg";0.0', 'big'],
  [0, '0;-0;"none"', 'none'],
  [7, 'General" pieces"', '7 pieces'],
  [0.1 + 0.2, 'General', '0.3'],
])('shows %d in the format %s as %s', (value, code, text) => {
  expect(writeNumber(value, code).text.trim()).toBe(text);
});

it('applies the color of a format, and inserts text where the format places it', () => {
  expect(writeNumber(-1, '0;[Red]-0').color).toBe('red');
  expect([writeWords('x', '0;0;0;"<"@">"').text, writeWords('x', '0.0').text]).toEqual(['<x>', 'x']);
});

it('formats every number in every format, even an invalid one', () => {
  const parts = fc.constantFrom(
    '0',
    '#',
    '?',
    ',',
    '.',
    '%',
    ';',
    '/',
    'E+',
    'y',
    'm',
    'd',
    'h',
    's',
    '[h]',
    '"a"',
    '"',
    '\\',
    '@',
    '_',
    '*',
    '[',
    ']',
    '[Red]',
    '[>1]',
    ' ',
    'AM/PM',
    'General',
    '-',
    '(',
    '🎉',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.double(), (code, value) => {
      const { text } = writeNumber(value, code.join(''));
      expect(text.length).toBeLessThan(2000);
      expect(text).not.toMatch(/undefined|\[object/);
    }),
    { numRuns: 500 },
  );
});

it('preserves the digits of a number: grouped text with decimals parses back to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (whole, places) => {
      const value = whole / 10 ** places;
      const code = places === 0 ? '#,##0' : `#,##0.${'0'.repeat(places)}`;
      const shown = writeNumber(value, code).text;
      expect(Number(shown.replaceAll(',', ''))).toBe(value === 0 ? 0 : value);
      expect(shown).toMatch(/^-?\d{1,3}(,\d{3})*(\.\d+)?$/);
    }),
  );
});

it('shows sheets without trailing empty rows, numbers as numbers, and whether they are truncated', () => {
  const sheet = presentSheet({
    name: 'S',
    rows: [
      ['a', 0.1 + 0.2, null],
      [new Date(Date.UTC(2026, 0, 2)), '1,200.50', ''],
      [null, '', null],
    ],
  });
  expect([sheet.columnCount, sheet.rows.length, sheet.isCut]).toEqual([2, 2, false]);
  expect(sheet.rows.flat().map(({ text, isNumber }) => [text, isNumber])).toEqual([
    ['a', false],
    ['0.3', true],
    ['2026-01-02', true],
    ['1,200.50', true],
  ]);
  const rowOf = (length: number) => Array.from({ length }, () => 1);
  expect(presentSheet({ name: 'S', rows: [rowOf(1000)] })).toMatchObject({ columnCount: 256, isCut: true });
  const wide = presentSheet({ name: 'S', rows: Array.from({ length: 9000 }, () => rowOf(200)) });
  expect([wide.rows.length, wide.isCut]).toEqual([5000, true]);
  expect([0, 25, 26, 701, 702].map(nameColumn)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});

it('shows cells as specified by the file: format, formula, style, merged cells, widths and frozen rows', () => {
  const bold = { style: { font: { bold: true }, fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FF2F5D50' } } } };
  const sheet = presentSheet({
    name: 'S',
    rows: [
      ['Total', null],
      [0.25, true],
      [new Date(Date.UTC(2026, 0, 2)), 3],
    ],
    cells: new Map<string, CellFacts>([
      ['0,0', bold],
      ['1,0', { formula: 'A1/4', style: { numFmt: '0%' } }],
      ['2,0', { style: { numFmt: 'd mmm yyyy' } }],
    ]),
    columns: [{ width: 20 }, { hidden: true }],
    merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 1 }],
    freezePane: { rows: 1 },
    charts: [{}],
  });
  expect(sheet.rows.map(([first]) => first?.text)).toEqual(['Total', '25%', '2 Jan 2026']);
  expect(sheet.rows[1]?.[0]?.source).toBe('=A1/4');
  expect(sheet.looks).toMatchObject([{ isBold: true, fill: '#2f5d50' }, { align: 'center' }]);
  expect(sheet).toMatchObject({ widths: [160, 0], frozenRows: 1, chartCount: 1 });
  expect([...listCovered(sheet.merges)]).toEqual(['0,0', '0,1']);
  expect(measureColumns(sheet)).toEqual([160, 0]);
});

it('makes the colors of a file readable on any background', () => {
  expect(chooseColors({ font: { rgb: '000000' } }, [])).toEqual({ fill: null, color: null });
  expect(chooseColors({ fill: { rgb: 'FFFF00' } }, [])).toEqual({ fill: '#ffff00', color: '#000000' });
  const light = (hex: string) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
    const [red = 0, green = 0, blue = 0] = parts.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => value.toString(16).padStart(6, '0'));
  fc.assert(
    fc.property(hex, hex, (font, ground) => {
      const { fill, color } = chooseColors({ font: { rgb: font }, fill: { rgb: ground } }, []);
      const [low = 0, high = 0] = [light(fill ?? ''), light(color ?? '')].toSorted((one, other) => one - other);
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThan(4.4);
    }),
  );
});

it('detects the delimiter of separated values, and freezes a header row', () => {
  expect(['a,b\n1,2', 'a;b,c\n1;2', 'a\tb\n1,5\t2', 'word'].map(guessDelimiter)).toEqual([',', ';', '\t', ',']);
  const frozen = (rows: string[][]) => presentSheet(makeTextSheet(rows)).frozenRows;
  expect([
    frozen([
      ['Month', 'Sales'],
      ['May', '3'],
    ]),
    frozen([
      ['1', 'x'],
      ['2', 'y'],
    ]),
    frozen([['Month', 'Sales']]),
  ]).toEqual([1, 0, 0]);
});
