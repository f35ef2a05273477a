import { expect, it } from 'vitest';
import { wordStyles } from '../word-pages/word-styles.ts';
import { findEastAsianFont } from './east-asian-font.ts';

it.each([
  ['zh-CN', 'Microsoft YaHei'],
  ['zh-Hant-TW', 'Microsoft JhengHei'],
  ['ja', 'Yu Gothic'],
  ['ko-KR', 'Malgun Gothic'],
  ['en', null],
  ['', null],
])('characters of %j have a font that offices come with: %s', (language, font) => {
  expect(findEastAsianFont(language)).toBe(font);
});

it('a Word document in Chinese names it for texts and headings, one in English does not', () => {
  const roles = new Map<string, string>();
  const colors = { ink: '111111', soft: '444444', accent: '0B57B0', line: 'CCCCCC' };
  const stylesOf = (language: string) =>
    JSON.stringify(wordStyles({ colors, textFont: 'Inter', headFont: 'Lora', roles } as never, language, false));
  const chinese = stylesOf('zh-CN');
  expect(chinese).toContain('{"ascii":"Inter","hAnsi":"Inter","cs":"Inter","eastAsia":"Microsoft YaHei"}');
  expect(chinese).toContain('{"ascii":"Lora","hAnsi":"Lora","cs":"Lora","eastAsia":"Microsoft YaHei"}');
  expect(stylesOf('en')).not.toContain('eastAsia":"M');
});
