import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureThreadMs } from '../../../test/support/base/thread-time.ts';
import { parseJsonBody } from './json-body.ts';

const body = (text: string) => Buffer.from(text);
const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Levels of objects and arrays in a value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('a body', () => {
  it('is any JSON that does not nest too deep', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 80 }), fc.boolean(), (value, isPretty) => {
        fc.pre(depthOf(value) <= 64);
        const text = JSON.stringify(value, null, isPretty ? 2 : 0);
        expect(parseJsonBody(body(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is rejected when it is not JSON, not UTF-8 or too deep', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          parseJsonBody(Buffer.from(bytes));
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_argument', message: expect.stringMatching(/^body: must/) as unknown });
        }
      }),
    );
    expect(() => parseJsonBody(body(nest(65)))).toThrow('body: must not nest deeper than 64 levels');
    expect(parseJsonBody(body(nest(64)))).toEqual(JSON.parse(nest(64)));
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow('body: must be UTF-8');
  });

  it('may contain brackets in its strings, however they are escaped', () => {
    for (const text of ['[[[['.repeat(40), `\\${'{'.repeat(99)}`, `"${'['.repeat(99)}"`, `\\"${'['.repeat(99)}`, '\\\\']) {
      expect(parseJsonBody(body(JSON.stringify([text, { [text]: text }])))).toEqual([text, { [text]: text }]);
    }
  });

  it('is parsed in linear time', () => {
    const evil = ['"', '\\"', '\\', '{', '[', '"\\\\"', '[{"":', '}'].map((piece) => body(piece.repeat(400_000)));
    const checkAll = () => {
      for (const text of evil) expect(() => parseJsonBody(text)).toThrow(/^body: must/);
    };
    expect(measureThreadMs(checkAll)).toBeLessThan(5000);
  });
});
