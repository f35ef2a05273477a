import { findSystemFonts } from '@errand/documents/fonts';
import type { Check } from './check.ts';

/** What office files that are shown, covers, and PDFs without a browser can show besides Latin, Greek, and Cyrillic; pages have fonts of Errand. */
export function checkFonts(): Check {
  const name = 'fonts';
  const hasEastAsian = findSystemFonts().fallback.some((file) =>
    /CJK|SC-|JP-|KR-|TC-|SourceHan|wqy|DroidSansFallback|Arial Unicode/.test(file),
  );
  const hasOthers = findSystemFonts().fallback.some((file) => /NotoSans(Arabic|Hebrew|Devanagari|Thai)-Regular/.test(file));
  const others = hasOthers ? '; also the other scripts of Noto' : '; for Indic scripts and Thai: apt-get install fonts-noto-core';
  if (hasEastAsian) return { name, state: 'ok', found: `Latin, Greek, Cyrillic, Chinese, Japanese and Korean${others}` };
  const found =
    'Latin, Greek and Cyrillic; pages also show Chinese, Japanese and Korean, previews of office files and covers do not';
  return { name, state: 'missing', found, remedy: 'apt-get install fonts-noto-cjk' };
}
