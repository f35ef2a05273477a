import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLocale } from './locale-field.ts';

describe('a locale', () => {
  it.each([
    ['en', 'en'],
    ['EN-us', 'en-US'],
    ['zh-cn', 'zh-CN'],
    ['zh-Hant-tw', 'zh-Hant-TW'],
    ['ja', 'ja'],
    ['pt-BR', 'pt-BR'],
    ['gsw', 'gsw'],
    ['iw', 'he'],
  ])('%s is kept as %s', (tag, kept) => {
    expect(readLocale(tag)).toBe(kept);
  });

  it.each([
    '',
    'e',
    'xx',
    'english',
    'foobar',
    'zh_CN',
    'en-',
    'en US',
    'en\u0000',
    'en-US-u-',
    '../en',
    'x-private',
    'en'.repeat(99),
  ])('%j is refused', (tag) => {
    expect(() => readLocale(tag)).toThrow('locale: must be a language tag such as "en", "zh-CN" or "ja"');
  });

  it('is canonical or refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (tag) => {
        try {
          expect(readLocale(readLocale(tag))).toBe(readLocale(tag));
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_argument' });
        }
      }),
    );
  });
});
