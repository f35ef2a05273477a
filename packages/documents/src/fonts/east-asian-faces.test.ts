import { expect, it } from 'vitest';
import { readEastAsianFaces } from './east-asian-faces.ts';

const covers = (ranges: readonly string[], character: string) => {
  const code = character.codePointAt(0) ?? 0;
  return ranges
    .flatMap((range) => range.split(','))
    .some((part) => {
      const [first = '', last = first] = part.trim().slice(2).split('-');
      return code >= Number.parseInt(first, 16) && code <= Number.parseInt(last, 16);
    });
};

it.each([
  ['Chinese with one Korean word', '这些城市 서울'],
  ['Chinese with one Japanese word', '这些城市 とうきょう'],
  ['Chinese', '这些城市'],
  ['Korean', '서울 부산'],
])('a text in %s has a face for each of its characters', async (_, text) => {
  const ranges = (await readEastAsianFaces(text)).map(({ range }) => range);
  const lacking = [...new Set(text.replaceAll(' ', ''))].filter((character) => !covers(ranges, character));
  expect(lacking).toEqual([]);
});

it('a text without such characters has none', async () => {
  expect(await readEastAsianFaces('Berlin')).toEqual([]);
});
