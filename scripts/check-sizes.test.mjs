import { describe, expect, it } from 'vitest';
import { measureFile, measureFunctions, quantile } from './check-sizes.mjs';
import { parseSource } from './source-file.mjs';

/** @param {string} text */
const functionsOf = (text) => measureFunctions(parseSource('src/a.ts', text)).map(({ name, line, lines }) => [name, line, lines]);

/** @param {number[]} lines */
const measures = (...lines) => lines.map((count) => ({ path: '', name: '', line: 1, lines: count }));

describe('the length of a file', () => {
  it.each([
    ['', 1],
    ['a;\n', 1],
    ['a;\nb;', 2],
    ['a;\n\n', 2],
  ])('counts lines as an editor does (%j)', (text, lines) => {
    expect(measureFile(parseSource('src/a.ts', text)).lines).toBe(lines);
  });
});

describe('the length of a function', () => {
  it('counts from its first line to its last, whatever its form', () => {
    expect(functionsOf('function first() {\n}\n')).toEqual([['first', 1, 2]]);
    expect(functionsOf('\nconst second = async () =>\n  1;\n')).toEqual([['second', 2, 2]]);
    expect(functionsOf('class A {\n  third(a: string) {\n  \n  }\n}\n')).toEqual([['third', 2, 3]]);
    expect(functionsOf('const a = {\n  fourth() {\n  },\n};\n')).toEqual([['fourth', 2, 2]]);
    expect(functionsOf('run(() => 1);')).toEqual([['anonymous function', 1, 1]]);
  });

  it('counts inner functions once for themselves and once for the outer', () => {
    expect(functionsOf('function outer() {\n  return () => {\n  };\n}')).toEqual([
      ['outer', 1, 4],
      ['anonymous function', 2, 2],
    ]);
  });

  it('is not fooled by braces in text, templates and expressions', () => {
    expect(functionsOf("function a() { return '}' + `${'{'}` + /[{]/.source;\n}\nfunction b() {}")).toEqual([
      ['a', 1, 2],
      ['b', 3, 1],
    ]);
  });
});

describe('a quantile', () => {
  it('sorts by number, not by text', () => {
    expect(quantile(measures(100, 20, 3), 0.5)).toBe(20);
  });

  it('is 0 without measures and the largest at the end', () => {
    expect(quantile([], 0.5)).toBe(0);
    expect(quantile(measures(1, 2), 1)).toBe(2);
  });
});
