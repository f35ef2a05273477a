import { findSystemFonts } from '@errand/documents/fonts';
import type { Check } from './check.ts';

/** Whether PDFs, charts and pictures can show Chinese, Japanese and Korean, whose fonts are not part of Errand. */
export function checkFonts(): Check {
  const name = 'fonts';
  const hasEastAsian = findSystemFonts().fallback.some((file) =>
    /CJK|SC-|JP-|KR-|TC-|SourceHan|wqy|DroidSansFallback|Arial Unicode/.test(file),
  );
  if (hasEastAsian) return { name, state: 'ok', found: 'Latin, Greek, Cyrillic, Chinese, Japanese and Korean' };
  const found = 'Latin, Greek and Cyrillic; PDFs and charts cannot show Chinese, Japanese or Korean';
  return { name, state: 'missing', found, remedy: 'apt-get install fonts-noto-cjk' };
}
