import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, ownLanguageOf } from './accept-language.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

const offered = ['en', 'zh'] as const;

describe('the language of a browser', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['ZH-tw', 'zh'],
    ['zh-Hant-TW', 'zh'],
    ['en-GB,zh;q=0.9', 'en'],
    ['en;q=0.1, zh;q=0.2', 'zh'],
    ['ja, fr;q=0.9, zh;q=0.1', 'zh'],
    ['ja', 'en'],
    ['*', 'en'],
    ['zh;q=0, *', 'en'],
    ['en;q=0, *;q=0.1', 'zh'],
    ['zh-TW;q=0, zh', 'zh'],
    ['zh;q=0', 'en'],
    ['zh;q=0.0000, en', 'en'],
    ['zh;q=2, en;q=0.1', 'en'],
    ['zhx', 'en'],
    ['zh_CN', 'en'],
  ])('%s is %s', (header, language) => {
    expect(chooseLanguage(header, offered)).toBe(language);
  });

  it('is always a supported one, whatever the header contains', () => {
    const word = fc.constantFrom('zh', 'en', 'zh-CN', '*', ';q=', '0.5', '0', ',', ' ', '-', 'x'.repeat(9), '\u0000', 'ß');
    const header = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(fc.property(header, (text) => offered.includes(chooseLanguage(text, offered))));
  });

  it('is the one with the highest weight, and the first of equal ones', () => {
    const weight = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(weight, weight, fc.boolean(), (en, zh, isSwapped) => {
        const ranges = [`en-US;q=${(en / 1000).toFixed(3)}`, `zh-CN; q=${(zh / 1000).toFixed(3)}`, 'fr'];
        const header = (isSwapped ? ranges.toReversed() : ranges).join(' , ');
        const first = isSwapped ? 'zh' : 'en';
        expect(chooseLanguage(header, offered)).toBe(en === zh ? first : en > zh ? 'en' : 'zh');
      }),
    );
  });

  it('is read from the beginning of a very long header', () => {
    expect(chooseLanguage(`zh,${'a'.repeat(2_000_000)}`, offered)).toBe('zh');
    expect(chooseLanguage(`${' '.repeat(990)},en,zh;q=0.001`, offered)).toBe('en');
    expect(chooseLanguage(`${'fr,'.repeat(400)}zh`, offered)).toBe('en');
    expect(chooseLanguage(`zh${'-a'.repeat(1_000_000)}`, offered)).toBe('en');
  });
});

it('what the service says is in the language of the locale, else in English', () => {
  expect(['de-AT', 'es-419', 'zh-Hant-TW', 'en-GB', 'fr', '', null].map(ownLanguageOf)).toEqual([
    'de',
    'es',
    'zh',
    'en',
    'en',
    'en',
    'en',
  ]);
});
