import { describe, expect, it } from 'vitest';
import { readShare } from './crash-run.ts';

describe('the share of the gate that a test run does', () => {
  it.each(['1', '0.25'])('is read from %j', (text) => {
    expect(readShare(text)).toBe(Number(text));
  });

  it.each(['a quarter', '', '0', '-1', '1.5', 'NaN'])('is refused for %j, with which no round would run, or too many', (text) => {
    expect(() => readShare(text)).toThrow('ERRAND_TEST_GATE_SHARE must be a number above 0 and at most 1');
  });
});
