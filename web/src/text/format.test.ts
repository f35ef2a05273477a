import { describe, expect, it } from 'vitest';
import { createFormat } from './format.ts';
import { languageOf } from './locale.ts';

describe('a locale formats', () => {
  const format = createFormat('en');

  it('times as distances for a week, then as dates', () => {
    const now = Date.UTC(2026, 5, 10, 12);
    const ago = (ms: number) => format.relative(now - ms, now);
    expect([ago(5_000), ago(150_000), ago(7_300_000), ago(100_000_000)]).toEqual(['now', '2 min. ago', '2 hr. ago', 'yesterday']);
    expect(ago(8 * 86_400_000)).toBe('Jun 2, 2026');
  });

  it('sizes in steps of a thousand', () => {
    expect([0, 999, 1_500, 123_456_789].map((count) => format.bytes(count))).toEqual(['0 byte', '999 byte', '1.5 kB', '123 MB']);
  });

  it('durations by their two largest units', () => {
    expect([0, 59_400, 80_000, 3_725_000].map((ms) => format.duration(ms))).toEqual(['0s', '59s', '1m 20s', '1h 2m']);
  });
});

describe('the language of a locale', () => {
  it('is the one with translations, else English', () => {
    expect(['zh-Hant-TW', 'ZH', 'en-GB', 'fr', ''].map(languageOf)).toEqual(['zh', 'zh', 'en', 'en', 'en']);
  });
});
