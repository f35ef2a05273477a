import { findSystemFonts } from '@errand/documents/fonts';
import type { Check } from './check.ts';

/** What PDFs, charts and pictures can show besides Latin, Greek, and Cyrillic, whose fonts are part of Errand. */
export function checkFonts(): Check {
  const name = 'fonts';
  const hasEastAsian = findSystemFonts().fallback.some((file) =>
    /CJK|SC-|JP-|KR-|TC-|SourceHan|wqy|DroidSansFallback|Arial Unicode/.test(file),
  );
  const hasOthers = findSystemFonts().fallback.some((file) => /NotoSans(Arabic|Hebrew|Devanagari|Thai)-Regular/.test(file));
  const others = hasOthers ? '; also the other scripts of Noto' : '; for Indic scripts and Thai: apt-get install fonts-noto-core';
  if (hasEastAsian) return { name, state: 'ok', found: `Latin, Greek, Cyrillic, Chinese, Japanese and Korean${others}` };
  const found = 'Latin, Greek and Cyrillic; PDFs and charts cannot show Chinese, Japanese or Korean';
  return { name, state: 'missing', found, remedy: 'apt-get install fonts-noto-cjk' };
}
