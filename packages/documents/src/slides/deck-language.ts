import { unzipSync, type Zippable, zipSync } from 'fflate';
import { findEastAsianFont } from '../fonts/east-asian-font.ts';

/** Parts of a presentation whose texts say their language and fonts. */
const texts = /^ppt\/(slides|slideLayouts|slideMasters|notesSlides|theme)\/[^/]+\.xml$/;

/** Says the language of a presentation, by which offices check its spelling and choose its Chinese, Japanese, or Korean characters. */
export function setLanguage(presentation: Uint8Array, language: string): Uint8Array {
  if (language === '') return presentation;
  const font = findEastAsianFont(language);
  const parts: Zippable = {};
  for (const [name, bytes] of Object.entries(unzipSync(presentation))) {
    if (!texts.test(name)) {
      // Pictures are packed already.
      parts[name] = [bytes, { level: /\.(xml|rels)$/.test(name) ? 6 : 0 }];
      continue;
    }
    // Quotes in texts are escaped, so this finds attributes alone.
    const own = Buffer.from(bytes).toString().replaceAll(' lang="en-US"', ` lang="${language}"`);
    const named = font === null ? own : own.replaceAll(/<a:ea typeface="[^"]*"/g, `<a:ea typeface="${font}"`);
    parts[name] = [Buffer.from(named), { level: 6 }];
  }
  return zipSync(parts);
}
