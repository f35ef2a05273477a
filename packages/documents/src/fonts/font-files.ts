import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type FontStyle = 'regular' | 'bold' | 'italic' | 'boldItalic';

/** The fonts that come with the project: Liberation Sans (SIL Open Font License), in the package of pdf.js. */
function findShipped(): Record<FontStyle, string> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts');
  const name = (style: string) => join(folder, `LiberationSans-${style}.ttf`);
  return { regular: name('Regular'), bold: name('Bold'), italic: name('Italic'), boldItalic: name('BoldItalic') };
}

export const shippedFonts = findShipped();
/** The family name of the shipped fonts, with similar ones as fallback. */
export const fontFamily = 'Liberation Sans, Arial, Helvetica, sans-serif';

const systemFolders = ['/usr/share/fonts', '/usr/local/share/fonts', '/System/Library/Fonts', '/Library/Fonts'];
const mostFolders = 500;

/** Fallbacks for characters that the shipped fonts lack, in order. Each pattern may match several files. */
const fallbackNames = [
  /^DejaVuSans\.ttf$/,
  /^NotoSansCJK-Regular\.ttc$/,
  /^(NotoSans(SC|JP|KR|TC)-Regular|SourceHanSans\w*-Regular)\.(otf|ttf)$/,
  /^(wqy-zenhei|wqy-microhei)\.ttc$/,
  /^(DroidSansFallbackFull|Arial Unicode)\.ttf$/,
  /^NotoSans(\w*)-Regular\.ttf$/,
];
const boldNames = [/^DejaVuSans-Bold\.ttf$/, /^NotoSansCJK-Bold\.ttc$/];
const monospaceNames = [/^LiberationMono-Regular\.ttf$/, /^DejaVuSansMono\.ttf$/];

function listFontFiles(): string[] {
  const folders = [...systemFolders];
  const files: string[] = [];
  for (let at = 0; at < folders.length && at < mostFolders; at++) {
    const folder = folders[at] ?? '';
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      continue;
    }
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else if (/\.(ttf|otf|ttc)$/.test(entry.name)) files.push(join(folder, entry.name));
    }
  }
  return files.sort();
}

function pick(files: readonly string[], patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) => files.filter((file) => pattern.test(file.slice(file.lastIndexOf('/') + 1))));
}

export interface SystemFonts {
  /** Fonts in the order in which they are searched for a character. */
  fallback: readonly string[];
  bold: readonly string[];
  monospace: readonly string[];
}

let found: SystemFonts | undefined;

/** Fonts of this machine that complement the shipped ones; looked up once. */
export function findSystemFonts(): SystemFonts {
  if (found) return found;
  const files = listFontFiles();
  found = { fallback: pick(files, fallbackNames), bold: pick(files, boldNames), monospace: pick(files, monospaceNames) };
  return found;
}
