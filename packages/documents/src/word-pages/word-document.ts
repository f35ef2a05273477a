import { posix } from 'node:path';
import { AlignmentType, Document, LevelFormat, Packer } from 'docx';
import { estimatePageNumbersWith } from 'docx/layout';
import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import { findPageWords, isRightToLeft } from '../content/page-words.ts';
import type { GeneratorOutcome, ReadFile, ReportProgress } from '../generator-outcome.ts';
import { readPagePictures } from './page-pictures.ts';
import { descendants, find, hasClass, isElement, type PageElement, parsePage, textOf } from './page-tree.ts';
import type { BlockPlace } from './block-place.ts';
import { BlockWriter } from './word-blocks.ts';
import { drawCoverGround } from './cover-ground.ts';
import { createContext } from './word-context.ts';
import { readLogo } from './word-logo.ts';
import { chooseCvSize } from './word-cv.ts';
import { PartWriter, writeSection } from './word-sections.ts';
import { readSheet } from './word-sheet.ts';
import { wordStyles } from './word-styles.ts';
import { chooseTheme, isBranded, type WordBrand, type WordTheme } from './word-theme.ts';

function describeLevels(isOrdered: boolean) {
  // In twentieths of a point: numbers of two digits, with their period, need more space than bullets.
  const [step, hanging] = isOrdered ? [520, 440] : [400, 300];
  return Array.from({ length: 9 }, (_, level) => ({
    level,
    format: isOrdered ? LevelFormat.DECIMAL : LevelFormat.BULLET,
    text: isOrdered ? `%${level + 1}.` : (['•', '◦', '▪'][level % 3] ?? '•'),
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { start: (level + 1) * step, hanging } } },
  }));
}

function describeTheme({ colors, headFont, textFont }: WordTheme) {
  return {
    colors: {
      ...{ dark1: colors.ink, light1: colors.ground, dark2: colors.soft, light2: colors.surface },
      ...{ accent1: colors.accent, accent2: colors.good, accent3: colors.warn, accent4: colors.bad, hyperlink: colors.accent },
    },
    fonts: { headings: headFont, body: textFont },
  };
}

/** Longer texts take too long to lay out; Word counts the pages of their contents when it opens them. */
const mostCounted = { words: 200_000, paragraph: 10_000 };

/** Whether the contents can have page numbers without Word. */
function isCountable(page: PageElement): boolean {
  if (!find(page, (element) => hasClass(element, 'toc'))) return false;
  const lengths = [...descendants(page)].map(({ children }) =>
    children.reduce((sum, child) => sum + (isElement(child) ? 0 : child.length), 0),
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return total <= mostCounted.words && lengths.every((length) => length <= mostCounted.paragraph);
}

/** The highest level of the headings below the title. */
function findTopLevel(page: PageElement): number {
  const titles = [...descendants(page)].filter(({ name }) => name === 'h1');
  const levels = [...descendants(page)].flatMap((each) => (/^h[1-6]$/.test(each.name) ? [Number(each.name.slice(1))] : []));
  const rest = titles.length === 1 ? levels.filter((level) => level > 1) : levels;
  return Math.min(6, ...rest);
}

export interface WordPage {
  html: string;
  /** Where addresses in the page begin, in the workspace. */
  folder: string;
  /** Author of the document; empty if nobody is named. */
  author: string;
  /** The look of pages without a theme of their own. */
  brand?: WordBrand;
}

/** Writes a page as a Word document. Throws a Fault for pictures that cannot be read. */
export async function makeWord(
  { html, folder, author, brand }: WordPage,
  readFile: ReadFile,
): Promise<{ bytes: Uint8Array; remarks: string[] }> {
  const page = parsePage(html);
  const root = find(page, ({ name }) => name === 'html') ?? page;
  const css = [...descendants(page)]
    .filter(({ name }) => name === 'style')
    .map((style) => style.children.map((child) => (isElement(child) ? '' : child)).join(''))
    .join('\n');
  const language = (root.attributes['lang'] ?? '').replace(/^und$/, '');
  const isMirrored = root.attributes['dir'] === 'rtl' || (root.attributes['dir'] === undefined && isRightToLeft(textOf(root)));
  const named = root.attributes['data-theme'] ?? '';
  const theme = await chooseTheme(named, css, brand);
  const { pictures, remarks } = await readPagePictures(page, folder, theme, readFile);
  const drawn = brand?.logo && isBranded(named) ? await readLogo(brand.logo) : null;
  const logo = typeof drawn === 'string' ? null : drawn;
  if (typeof drawn === 'string') remarks.push(drawn);
  const cv = find(page, (each) => hasClass(each, 'cv'));
  const isOnePage = find(page, (each) => hasClass(each, 'cv', 'one-page', 'letter')) !== undefined;
  const sheet = readSheet(css, find(page, (each) => hasClass(each, 'cv', 'one-page')) !== undefined);
  const width = sheet.width - sheet.margin.left - sheet.margin.right;
  // A little over the edge, where programs round down.
  const pixels = { width: Math.ceil(sheet.width / 15) + 1, height: Math.ceil(sheet.height / 15) + 1 };
  const ground = find(page, (each) => hasClass(each, 'cover')) ? await drawCoverGround(theme, pixels) : null;
  const context = createContext(page, { words: findPageWords(language), theme, pictures, logo, ground });
  const writer = new BlockWriter(context, findTopLevel(page));
  const place: BlockPlace = { width, isMirrored, style: null, look: {}, listDepth: 0 };
  const parts = new PartWriter(writer, context, sheet, place);
  parts.write(find(page, ({ name }) => name === 'body') ?? page);
  const title = cleanLine(textOf(find(page, ({ name }) => name === 'title') ?? ''));
  const hasCover = parts.parts[0]?.kind === 'cover';
  const notes = context.usedNotes().map((id, at) => {
    const item = context.notes.get(id);
    return [String(at + 1), { children: item ? [writer.writeNote(item, place)] : [] }] as const;
  });
  const running = { sheet, title, logo, isMirrored, isOnePage };
  const document = new Document({
    title,
    creator: author || 'Errand',
    lastModifiedBy: author || 'Errand',
    styles: wordStyles(theme, language, isMirrored, cv ? chooseCvSize(cv, sheet) : null),
    theme: describeTheme(theme),
    numbering: {
      config: [
        { reference: 'bullets', levels: describeLevels(false) },
        { reference: 'ordered', levels: describeLevels(true) },
      ],
    },
    footnotes: Object.fromEntries(notes),
    ...(isCountable(page) && { pageNumbers: estimatePageNumbersWith({ guess: true }) }),
    sections: parts.parts.map((part, at) => writeSection(part, running, at === 0 && !hasCover)),
  });
  return { bytes: new Uint8Array(await Packer.toArrayBuffer(document)), remarks };
}

/** `path`: where the document goes; `page`: the page in the workspace. */
export interface WordJob extends Pick<WordPage, 'author' | 'brand'> {
  path: string;
  page: string;
}

const mostPageBytes = 8_000_000;

/** Makes a Word document of a page of the workspace. */
export async function makeWordOfPage(
  { path, page, author, brand }: WordJob,
  readFile: ReadFile,
  report: ReportProgress,
): Promise<GeneratorOutcome> {
  const bytes = await readFile(page);
  if (bytes.length > mostPageBytes) throw invalidField('source', `"${page}" is larger than ${mostPageBytes} bytes.`);
  report(`Writing ${path}.`);
  const html = new TextDecoder().decode(bytes);
  const made = await makeWord({ html, folder: posix.dirname(page), author, ...(brand && { brand }) }, readFile);
  return { files: [{ path, bytes: made.bytes }], notes: made.remarks };
}
