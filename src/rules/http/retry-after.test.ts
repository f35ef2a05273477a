import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const nowMs = Date.UTC(2026, 0, 5, 12, 0, 0);

describe('readRetryAfter', () => {
  it.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': ' 0.25 ' }, 250],
    [{ 'retry-after': 'Mon, 05 Jan 2026 12:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Mon, 05 Jan 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '3', 'retry-after-ms': '120' }, 120],
    [{ 'retry-after': '3', 'retry-after-ms': 'soon' }, 3_000],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': '9'.repeat(30) }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('reads %o', (headers, expected) => {
    expect(readRetryAfter(headers as Record<string, string>, nowMs)).toBe(expected);
  });

  it('returns a whole number of milliseconds from now, or nothing, whatever the provider sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seconds, exact) => {
        const read = readRetryAfter({ 'retry-after': seconds, 'retry-after-ms': exact }, nowMs);
        expect(read === null || (Number.isSafeInteger(read) && read >= 0)).toBe(true);
      }),
    );
  });
});
