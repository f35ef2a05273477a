import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTraceparent, formatTraceparent, parseTraceparent } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('a traceparent header', () => {
  it('names a trace, a span, and whether it is sampled', () => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, isSampled: true });
    expect(parseTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ traceId, spanId, isSampled: false });
  });

  it('of a later version is read as far as this one knows, and passed on in version 00', () => {
    expect(cleanTraceparent(`cc-${traceId}-${spanId}-03-what-follows`)).toBe(`00-${traceId}-${spanId}-01`);
    expect(cleanTraceparent(`cc-${traceId}-${spanId}-02`)).toBe(`00-${traceId}-${spanId}-00`);
  });

  it.each([
    ['', 'empty'],
    [`00-${traceId}-${spanId}`, 'cut'],
    [`00-${traceId}-${spanId}-01-more`, 'longer than version 00 allows'],
    [`ff-${traceId}-${spanId}-01`, 'of the forbidden version'],
    [`00-${'0'.repeat(32)}-${spanId}-01`, 'of no trace'],
    [`00-${traceId}-${'0'.repeat(16)}-01`, 'of no span'],
    [`00-${traceId.toUpperCase()}-${spanId}-01`, 'in upper case'],
    [`00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, 'sent twice'],
    [`00-${traceId}-${spanId}-01\r\nx: y`, 'with a line break'],
    [`cc-${traceId}-${spanId}-01-${'x'.repeat(100_000)}`, 'too long'],
  ])('%j counts as none, because it is %s', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it('that is not text counts as none', () => {
    for (const header of [undefined, null, 7, [`00-${traceId}-${spanId}-01`], {}]) expect(cleanTraceparent(header)).toBeNull();
  });

  it('is whatever was sent either none or one that reads the same again', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (header) => {
        const clean = cleanTraceparent(header);
        if (clean === null) return;
        const context = parseTraceparent(clean);
        expect(context && formatTraceparent(context)).toBe(clean);
      }),
    );
  });
});
