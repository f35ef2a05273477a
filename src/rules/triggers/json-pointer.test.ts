import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findValue, isPointer } from './json-pointer.ts';

/** The document and the answers of RFC 6901, section 5. */
const example = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 };

describe('a JSON pointer', () => {
  it.each([
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j finds %j', (path, value) => {
    expect(isPointer(path)).toBe(true);
    expect(findValue(example, path)).toEqual(value);
  });

  it.each(['/missing', '/foo/2', '/foo/-', '/foo/01', '/foo/length', '/foo/0/0', '/constructor', '/__proto__', '/foo/map'])(
    '%j finds nothing',
    (path) => {
      expect(findValue(example, path)).toBeUndefined();
    },
  );

  it('finds nothing in a document that is no object', () => {
    for (const document of [undefined, null, 'text', 5, true]) expect(findValue(document, '/length')).toBeUndefined();
  });

  it.each(['', 'a', 'a/b', '/~', '/~2', '/a~'])('is not %j', (text) => {
    expect(isPointer(text)).toBe(false);
  });

  it('finds every value of every document', () => {
    const name = fc.string();
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (names, value) => {
        const document = names.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value);
        const path = names.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        expect(isPointer(path)).toBe(true);
        expect(findValue(document, path)).toEqual(value);
      }),
    );
  });
});
