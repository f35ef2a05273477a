import { findSystemFonts } from '@errand/documents/fonts/font-files.ts';

/** Whether this machine has fonts for the signs of Chinese, Japanese and Korean, which do not come with the project. */
export function hasEastAsianFonts(): boolean {
  return findSystemFonts().fallback.some((file) =>
    /CJK|SC-|JP-|KR-|TC-|SourceHan|wqy|DroidSansFallback|Arial Unicode/.test(file),
  );
}
