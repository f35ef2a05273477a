import { describe, expect, it } from 'vitest';
import { examineCsv } from './csv-findings.ts';

const examine = (text: string, isWhole = true) => examineCsv(Buffer.from(text), isWhole);

describe('what a csv file looks like', () => {
  it('is its rows and columns, and nothing else if nothing is wrong', async () => {
    expect(await examine('\ufeffcity,people\r\nRome,3\r\n"Aix, ""en""\nProvence",1\r\n')).toEqual({
      ...{ summary: '2 rows of 2 columns', findings: [] },
    });
    expect((await examine('city\nRome\n')).summary).toBe('1 row of 1 column');
  });

  it('names empty and ragged rows by their lines, and columns without names, of one name, or without values', async () => {
    const { findings } = await examine('a,,a,d\n1,2,3,\n\n1,2\n1,2,3,,5\n,,,\n');
    expect(findings).toEqual([
      'columns without a name: 2',
      'names that several columns have: "a"',
      'empty rows: lines 3, 6',
      'rows that have not 4 cells, as the header: lines 4, 5',
      'columns without a value: "d"',
    ]);
  });

  it('says of many lines how many there are', async () => {
    const { findings } = await examine(`a,b\n${'1\n'.repeat(9)}1,2\n`);
    expect(findings).toEqual(['rows that have not 2 cells, as the header: lines 2, 3, 4, 5, 6 and 4 more']);
  });

  it('leaves out the last line of a part, which may be cut', async () => {
    expect(await examine('a,b\n1,2\n1', false)).toEqual({ summary: 'more than 1 rows of 2 columns', findings: [] });
    expect(await examine('a,b\n1,2\n3,"two\nlines', false)).toEqual({ summary: 'more than 1 rows of 2 columns', findings: [] });
  });

  it.each([
    ['', 'it is empty, or begins with an empty line'],
    ['a,b\n', 'no rows below the header'],
    ['a,b\n"1,2\n', 'a quote is opened and never closed'],
    ['a,b\n1 "x",2\n', 'a quote stands within a cell or behind its end'],
  ])('is said of %j', async (text, finding) => {
    expect((await examine(text)).findings).toEqual([finding]);
  });

  it('is not good in an encoding that programs guess', async () => {
    const { findings } = await examineCsv(Buffer.from('stadt\nK\xf6ln\n', 'latin1'), true);
    expect(findings).toEqual(['it is not UTF-8, so programs show other letters']);
  });
});
