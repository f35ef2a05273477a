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

it('a text of thousands of characters has faces for the most of them, but of a bounded size', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e_00 + at)).join('');
  const parts = await readEastAsianFaces(`${many}서울とうきょう`);
  const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  expect(bytes).toBeLessThanOrEqual(3_000_000);
  expect(bytes).toBeGreaterThan(2_500_000);
  const ranges = parts.map(({ range }) => range);
  expect(Array.from(many).filter((one) => covers(ranges, one)).length).toBeGreaterThan(2_000);
});
