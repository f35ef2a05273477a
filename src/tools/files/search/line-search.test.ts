import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { compileQuery, filterPaths, searchBytes, searchText } from './line-search.ts';

const plain = (query: string, ignoreCase = false) => compileQuery({ query, isRegex: false, ignoreCase, contextLines: 0 });

describe('searching a text', () => {
  it('takes every character of a plain query literally', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (query, line) => {
        expect(plain(query).test(line)).toBe(line.includes(query));
        expect(plain(query).test(line + query)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the lines that match, numbered from 1, and stops at the limit', () => {
    expect(searchText('one\r\ntwo\nONE\n', plain('one', true), 0, 10)).toEqual({
      matches: 2,
      lines: [
        { number: 1, text: 'one', isMatch: true },
        { number: 3, text: 'ONE', isMatch: true },
      ],
    });
    expect(searchText('a\na\na', plain('a'), 0, 2).matches).toBe(2);
  });

  it('shows each line around matches once', () => {
    const { lines } = searchText('1\nx\n3\nx\n5\n6\n', plain('x'), 1, 10);
    expect(lines.map(({ number, isMatch }) => `${number}${isMatch ? ':' : '-'}`)).toEqual(['1-', '2:', '3-', '4:', '5-']);
  });

  it('shows the part around the match of a very long line', () => {
    const text = searchText(`${'a'.repeat(100_000)}needle${'b'.repeat(100_000)}`, plain('needle'), 0, 1).lines[0]?.text ?? '';
    expect(text).toMatch(/^…a+needleb+…$/);
    expect(text.length).toBeLessThan(310);
  });

  it('skips binary files', () => {
    expect(searchBytes(new Uint8Array([97, 0]), plain('a'), 0, 10)).toBeNull();
    expect(searchBytes(new TextEncoder().encode('a'), plain('a'), 0, 10)?.matches).toBe(1);
  });
});

describe('a glob', () => {
  const paths = ['a.ts', 'b.js', 'src/a.ts', 'src/x/c.ts', 'src/x/c.md'];

  it.each([
    ['*.ts', ['a.ts', 'src/a.ts', 'src/x/c.ts']],
    ['src/*.ts', ['src/a.ts']],
    ['src/**/*.{ts,md}', ['src/a.ts', 'src/x/c.ts', 'src/x/c.md']],
    ['**/c.*', ['src/x/c.ts', 'src/x/c.md']],
  ])('%s is about names in any folder without a slash, else about paths', (glob, expected) => {
    expect(filterPaths(paths, glob)).toEqual(expected);
  });
});
