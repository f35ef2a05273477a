import { describe, expect, it } from 'vitest';
import { createFormat } from './format.ts';
import { languageOf } from './locale.ts';

describe('a locale formats', () => {
  const format = createFormat('en');

  it('times as distances for a week, then as dates', () => {
    const now = new Date(2026, 5, 10, 12).getTime();
    const ago = (ms: number) => format.relative(now - ms, now);
    expect([ago(5_000), ago(150_000), ago(7_300_000), ago(100_000_000)]).toEqual(['now', '2 min. ago', '2 hr. ago', 'yesterday']);
    expect(ago(8 * 86_400_000)).toBe('Jun 2, 2026');
  });

  it('times to come as distances for a week, then as dates', () => {
    const now = new Date(2026, 5, 10, 12).getTime();
    const ahead = (ms: number) => format.relative(now + ms, now);
    expect([ahead(5_000), ahead(150_000), ahead(7_300_000), ahead(100_000_000)]).toEqual([
      'now',
      'in 2 min.',
      'in 2 hr.',
      'tomorrow',
    ]);
    expect(ahead(8 * 86_400_000)).toBe('Jun 18, 2026');
  });

  it('days as the calendar counts them', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
    expect(format.relative(at(29, 19), at(28, 18))).toBe('tomorrow');
    expect(format.relative(at(30, 9), at(28, 18))).toBe('in 2 days');
    expect(format.relative(at(28, 18), at(30, 9))).toBe('2 days ago');
  });

  it('times by the clocks of a zone, and of the browser for a zone that it does not know', () => {
    const at = Date.UTC(2026, 5, 10, 12);
    expect(format.zoned(at, 'Asia/Tokyo')).toBe('Wed, Jun 10, 2026, 9:00 PM GMT+9');
    expect(format.zoned(at, 'Nowhere/Else')).toMatch(/^Wed, Jun 10, 2026/);
  });

  it('days of the week, and counts of time', () => {
    expect([0, 1, 6].map((day) => format.weekday(day))).toEqual(['Sunday', 'Monday', 'Saturday']);
    expect(format.count(1, 'hour')).toBe('1 hour');
    expect(createFormat('zh').count(30, 'minute')).toBe('30分钟');
  });

  it('sizes in steps of a thousand', () => {
    expect([0, 999, 1_500, 123_456_789].map((count) => format.bytes(count))).toEqual([
      '0 bytes',
      '999 bytes',
      '1.5 kB',
      '123 MB',
    ]);
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
