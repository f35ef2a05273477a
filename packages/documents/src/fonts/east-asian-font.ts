/** Fonts that come with offices, and that others replace by their own of the same language. */
const fonts: readonly (readonly [RegExp, string])[] = [
  [/^zh-(hant|tw|hk|mo)/i, 'Microsoft JhengHei'],
  [/^zh/i, 'Microsoft YaHei'],
  [/^ja/i, 'Yu Gothic'],
  [/^ko/i, 'Malgun Gothic'],
];

/**
 * The font for Chinese, Japanese, or Korean characters of an office file in this language; null for other languages. Without a name, programs
 * draw Chinese characters as they are written in Japan.
 */
export function findEastAsianFont(language: string): string | null {
  return fonts.find(([pattern]) => pattern.test(language))?.[1] ?? null;
}
