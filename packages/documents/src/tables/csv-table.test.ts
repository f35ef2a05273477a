import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findColumn, readCsvTable, readNumbers } from './csv-table.ts';
import { readNumberText } from './number-text.ts';

const read = (text: string) => readCsvTable(Buffer.from(text), 'a.csv');

describe('readCsvTable', () => {
  it('detects the format of a file', () => {
    const english = read('\ufeffName,Price,Share\nApple,"1,200.50",12%\n"Plum, red",$3,\n');
    expect(english.columns).toEqual(['Name', 'Price', 'Share']);
    expect(english.rows[1]).toEqual(['Plum, red', '$3', '']);
    expect(readNumbers(english, 1)).toEqual([1200.5, 3]);
    expect(readNumbers(english, 2)).toEqual([0.12, null]);
    const german = read('Monat;Umsatz\nJan;1.234,56\nFeb;99,5\n');
    expect(readNumbers(german, 1)).toEqual([1234.56, 99.5]);
    expect(readCsvTable(Buffer.from('caf\xe9\tx\n1\t2', 'latin1'), 'a.tsv').columns).toEqual(['café', 'x']);
  });

  it('takes signs that only stand in cells for no delimiter, and keeps cells beyond the header', () => {
    const recipes = read('id,ingredients\n1,flour; sugar; eggs\n2,milk; salt; oil|fat|butter\n');
    expect(recipes).toMatchObject({
      columns: ['id', 'ingredients'],
      rows: [
        ['1', 'flour; sugar; eggs'],
        ['2', expect.any(String)],
      ],
    });
    expect(read('Name;"Sum, net"\nA;1,5\nB;2\n').columns).toEqual(['Name', 'Sum, net']);
    const long = read('a,b\n1,2,3,\n4\n');
    expect(long).toMatchObject({
      columns: ['a', 'b', 'Column 3'],
      rows: [
        ['1', '2', '3'],
        ['4', '', ''],
      ],
    });
  });

  it('reports what is wrong with a file or a name', () => {
    expect(() => read('')).toThrow('is empty');
    expect(() => readCsvTable(Buffer.from([1, 0, 2]), 'a.xlsx')).toThrow('not a text file');
    expect(() => findColumn(read('a,b\n1,2'), 'c', 'y')).toThrow('y: there is no column "c". The columns are "a", "b".');
    expect(findColumn(read('Month,b\n1,2'), 'month ', 'y')).toBe(0);
    expect(() => read(`a\n${'1\n'.repeat(200_001)}`)).toThrow('more than 200000 rows');
  });

  it('returns a table with one cell per column and row for any bytes, or rejects them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        let table;
        try {
          table = readCsvTable(bytes, 'a.csv');
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_argument' });
          return;
        }
        for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
      }),
    );
  });
});

describe('readNumberText', () => {
  it('parses numbers as people write them, and leaves ids unchanged', () => {
    const numbers = { '1 234': 1234, '€ 5.20': 5.2, '-3e2': -300, '1,000,000': 1_000_000, '50 %': 0.5 };
    for (const [text, value] of Object.entries(numbers)) expect(readNumberText(text)).toBe(value);
    for (const text of ['007', '12345678901234567890', '1-2', '', 'x1', '1,2', '+', '0x10', '1e999'])
      expect(readNumberText(text)).toBeNull();
  });
});
