import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const character = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uffef]/u;

/** The package with the characters that the others lack, such as those of simplified Chinese. */
const restPackage = 'noto-sans-sc';

/** The package with the characters of a text; Chinese ones are drawn as in the country of the others. */
function choosePackage(text: string): string {
  if (/\p{sc=Hangul}/u.test(text)) return 'noto-sans-kr';
  return /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? 'noto-sans-jp' : restPackage;
}

function findFolder(name: string): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`@fontsource-variable/${name}/package.json`));
  } catch {
    return null;
  }
}

/** Those of the codes that a range such as `U+4e00-4e0b,U+4e10` has. */
function pickCodes(range: string, codes: readonly number[]): number[] {
  const parts = range.split(',').map((part) => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return codes.filter((code) => parts.some(([first, last]) => code >= first && code <= last));
}

/** A part of a font, and its characters as a style sheet writes them. */
export interface FontPart {
  bytes: Uint8Array;
  range: string;
}

interface CountedPart extends FontPart {
  /** How many characters of the text it has. */
  count: number;
}

/** More would make a drawing too large to load or send; programs show rarer characters in fonts of their own. */
const mostBytes = 3_000_000;

/** The parts that have the most characters, as many as fit. */
function boundParts(parts: readonly CountedPart[]): FontPart[] {
  let bytes = 0;
  const chosen = parts
    .toSorted((one, other) => other.count - one.count)
    .filter((part) => {
      const fits = bytes + part.bytes.length <= mostBytes;
      if (fits) bytes += part.bytes.length;
      return fits;
    });
  return parts.filter((part) => chosen.includes(part));
}

/** The parts of a package that have the codes, and the codes that it lacks: all of them where it is not installed. */
async function readParts(name: string, codes: readonly number[]): Promise<{ parts: CountedPart[]; lacks: number[] }> {
  const folder = codes.length === 0 ? null : findFolder(name);
  if (folder === null) return { parts: [], lacks: [...codes] };
  const ranges = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
  const found = new Set<number>();
  const needed = Object.entries(ranges).flatMap(([part, range]) => {
    const had = part.startsWith('[') ? pickCodes(range, codes) : [];
    for (const code of had) found.add(code);
    return had.length > 0 ? [{ part, range, count: had.length }] : [];
  });
  const parts = await Promise.all(
    needed.map(async ({ part, range, count }) => {
      const file = join(folder, 'files', `${name}-${part.slice(1, -1)}-wght-normal.woff2`);
      return { bytes: await readFile(file), range, count };
    }),
  );
  return { parts, lacks: codes.filter((code) => !found.has(code)) };
}

/**
 * The parts of shipped fonts that have the Chinese, Japanese, and Korean characters of a text, those of its main language last, at most
 * 3 MB; none where they are not installed.
 */
export async function readEastAsianFaces(text: string): Promise<FontPart[]> {
  const codes = [...new Set(text)].filter((each) => character.test(each)).map((each) => each.codePointAt(0) ?? 0);
  const name = choosePackage(text);
  const { parts, lacks } = await readParts(name, codes);
  const rest = name === restPackage ? [] : (await readParts(restPackage, lacks)).parts;
  return boundParts([...rest, ...parts]);
}
