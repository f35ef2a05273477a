/** Real browsers send less; only the beginning of longer headers counts. */
const [mostCharacters, mostRanges] = [1000, 50];

const rangeForm = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The languages of what the service itself says, the default first. */
export const ownLanguages = ['en', 'de', 'es', 'zh'] as const;

export type OwnLanguage = (typeof ownLanguages)[number];

interface LanguageRange {
  /** `zh-CN`, in lower case, or `*`. */
  range: string;
  /** Weight from 0 (never) to 1. */
  weight: number;
}

/** The language ranges of a header (RFC 9110), preferred ones first, without malformed ones. */
function readLanguageRanges(header: string): LanguageRange[] {
  const whole = header.length <= mostCharacters ? header : header.slice(0, mostCharacters).replace(/(^|,)[^,]*$/, '');
  return whole
    .split(',', mostRanges)
    .flatMap((part): LanguageRange[] => {
      const [, range, weight = '1'] = rangeForm.exec(part.trim()) ?? [];
      return range === undefined ? [] : [{ range: range.toLowerCase(), weight: Number(weight) }];
    })
    .toSorted((a, b) => b.weight - a.weight);
}

/**
 * The supported language that an `Accept-Language` header prefers, by primary tag (`zh-TW` gets `zh`). The first is the default.
 */
export function chooseLanguage<Tag extends string>(header: string | undefined, offered: readonly [Tag, ...Tag[]]): Tag {
  const ranges = readLanguageRanges(header ?? '');
  const isRefused = (tag: Tag) => ranges.some(({ range, weight }) => weight === 0 && range === tag);
  const there = offered.filter((tag) => !isRefused(tag));
  for (const { range, weight } of ranges) {
    const primary = range.split('-', 1)[0];
    const found = weight > 0 ? there.find((tag) => range === '*' || tag === primary) : undefined;
    if (found !== undefined) return found;
  }
  return offered[0];
}

/** The language of what the service says to a person with this locale, a BCP 47 tag; English if it has no texts in theirs. */
export function ownLanguageOf(locale: string | null): OwnLanguage {
  return chooseLanguage(locale ?? '', ownLanguages);
}
