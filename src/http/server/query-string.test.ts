import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './query-string.ts';

describe('a query', () => {
  it('means what every other reader takes it to mean', () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((name) => name.isWellFormed()),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(names, fc.string({ unit: 'grapheme', minLength: 1 }), (keys, value) => {
        const parameters = new URLSearchParams(keys.map((key): [string, string] => [key, value]));
        expect(new Map(Object.entries(parseQuery(parameters.toString())))).toEqual(new Map(parameters));
      }),
    );
  });

  it.each([
    ['', {}],
    ['a', {}],
    ['a=', {}],
    ['&&a=1&', { a: '1' }],
    ['=1', {}],
    ['a=b=c', { a: 'b=c' }],
    ['a=x%20y+z', { a: 'x y z' }],
    ['__proto__=1&constructor=2', { ['__proto__']: '1', constructor: '2' }],
  ])('%j has the parameters %j', (text, parameters) => {
    expect(Object.entries(parseQuery(text))).toEqual(Object.entries(parameters));
  });

  it('inherits nothing', () => {
    expect('constructor' in parseQuery('a=1')).toBe(false);
  });

  it.each(['a=1&a=2', 'a=1&a=1', 'a=&a=1', 'a&a', '%61=1&a=2'])('%j gives a parameter twice and is refused', (text) => {
    expect(() => parseQuery(text)).toThrow('a: must be given only once');
  });

  it.each(['a=%', 'a=%zz', '%ff=1', 'a=%e0%a4'])('%j is not properly encoded and is refused', (text) => {
    expect(() => parseQuery(text)).toThrow('The query is not valid percent-encoding.');
  });
});
