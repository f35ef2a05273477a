import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableFormat, TableRows } from './table-file.ts';
import { readTable } from './table-reader.ts';
import { writeTable } from './table-writer.ts';

function read(text: string, format: TableFormat, mostRows = 1000): TableRows {
  return readTable(Buffer.from(text), `table.${format}`, format, mostRows);
}

describe('reading a table', () => {
  it('takes csv with any delimiter, and JSON objects with columns in the order in which they appear', () => {
    expect(read('name;city\nAda;London\n', 'csv')).toEqual({ columns: ['name', 'city'], rows: [['Ada', 'London']] });
    const objects = [{ name: 'Ada' }, { city: 'Rome', name: null, tags: ['a'] }];
    const table = {
      columns: ['name', 'city', 'tags'],
      rows: [
        ['Ada', null, null],
        [null, 'Rome', ['a']],
      ],
    };
    expect(read(JSON.stringify(objects), 'json')).toEqual(table);
    expect(read(objects.map((object) => JSON.stringify(object)).join('\r\n\n'), 'jsonl')).toEqual(table);
  });

  it('refuses what is no table, and says why', () => {
    const refusals: [string, TableFormat, RegExp][] = [
      ['', 'csv', /is empty/],
      ['a,b\n', 'csv', /has no rows/],
      ['a,a\n1,2\n', 'csv', /two columns named "a"/],
      [`a\n${'x'.repeat(1_100_000)}\n`, 'csv', /cannot be read as csv/],
      ['{"a": 1}', 'json', /must be a list of objects/],
      ['[1]', 'json', /row 1 .* is not an object/],
      ['[', 'json', /is not JSON/],
      ['{"a": 1}\n{', 'jsonl', /line 2 .* is not JSON/],
      [`a\n${'x\n'.repeat(1001)}`, 'csv', /has 1001 rows, and at most 1000/],
      [JSON.stringify([Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, 1]))]), 'json', /200 columns/],
    ];
    for (const [text, format, reason] of refusals) expect(() => read(text, format), text.slice(0, 40)).toThrow(reason);
    expect(read(`a\n${'x\n'.repeat(1000)}`, 'csv').rows).toHaveLength(1000);
  });

  it('takes a column of any name, also one that objects have by themselves', () => {
    const table = read('[{"__proto__": "a", "constructor": "b"}, {"toString": "c"}]', 'json');
    expect(table).toEqual({
      columns: ['__proto__', 'constructor', 'toString'],
      rows: [
        ['a', 'b', null],
        [null, null, 'c'],
      ],
    });
  });
});

describe('writing a table', () => {
  const cell = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
  const tables = fc
    // Names that are numbers come first in what JavaScript parses.
    .uniqueArray(
      fc.oneof(
        fc.string().filter((name) => !/^\d+$/.test(name)),
        fc.constantFrom('__proto__', 'constructor'),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { minLength: 1 }),
      }),
    );

  it('loses nothing in JSON, whatever the names and values are', () => {
    fc.assert(
      fc.property(tables, fc.constantFrom('json' as const, 'jsonl' as const), (table, format) => {
        expect(read(Buffer.from(writeTable(table, format)).toString(), format)).toEqual(table);
      }),
    );
  });

  it('writes no csv cell that a spreadsheet program would run, and leaves numbers as they are', () => {
    const rows = [
      ['=1+1'],
      ['+cmd'],
      ['-2+3'],
      ['@x'],
      ['\tx'],
      ['-5'],
      ['+3.5'],
      ['12%'],
      [-7],
      [{ a: '=1' }],
      [undefined],
      [null],
    ];
    const text = Buffer.from(writeTable({ columns: ['=A()'], rows }, 'csv')).toString();
    expect(text.replace('\ufeff', '').trimEnd().split('\r\n')).toEqual([
      ...[`"'=A()"`, `"'=1+1"`, `"'+cmd"`, `"'-2+3"`, `"'@x"`, `"'\tx"`, '-5', '+3.5', '12%', '-7', `"{""a"":""=1""}"`],
    ]);
  });
});
