import { posix } from 'node:path';
import {
  AlignmentType,
  Document,
  type FileChild,
  Footer,
  Header,
  type ISectionOptions,
  LevelFormat,
  Packer,
  PageOrientation,
  Paragraph,
  SectionType,
  SimpleField,
  TextRun,
} from 'docx';
import { estimatePageNumbersWith } from 'docx/layout';
import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import { findPageWords, isRightToLeft } from '../content/page-words.ts';
import type { GeneratorOutcome, ReadFile, ReportProgress } from '../generator-outcome.ts';
import { readPagePictures } from './page-pictures.ts';
import { descendants, find, hasClass, isElement, type PageElement, parsePage, textOf } from './page-tree.ts';
import type { BlockPlace } from './block-place.ts';
import { BlockWriter } from './word-blocks.ts';
import { createContext, type WordContext } from './word-context.ts';
import { writeCover, writeTitle } from './word-cover.ts';
import { wordStyles } from './word-styles.ts';
import { chooseTheme, type WordBrand } from './word-theme.ts';

/** In twentieths of a point. */
interface Sheet {
  width: number;
  height: number;
}

const margin = { top: 1_380, bottom: 1_380, left: 1_250, right: 1_250, header: 680, footer: 640 };
const papers: Readonly<Record<string, Sheet>> = {
  a4: { width: 11_906, height: 16_838 },
  a5: { width: 8_391, height: 11_906 },
  letter: { width: 12_240, height: 15_840 },
};

/** The paper that the rules of the page name. */
function readSheet(css: string): Sheet {
  const said = /@page\s*\{[^{}]*size:\s*([^;{}]+)/i.exec(css)?.[1]?.toLowerCase() ?? '';
  const sheet = Object.entries(papers).find(([name]) => said.includes(name))?.[1] ?? { width: 11_906, height: 16_838 };
  return said.includes('landscape') ? { width: sheet.height, height: sheet.width } : sheet;
}

type Kind = 'cover' | 'upright' | 'landscape';

interface Part {
  kind: Kind;
  children: FileChild[];
}

/** Writes a page in parts with pages of their own form. */
class PartWriter {
  readonly #writer: BlockWriter;
  readonly #context: WordContext;
  readonly #sheet: Sheet;
  readonly #place: BlockPlace;
  readonly parts: Part[] = [];

  constructor(writer: BlockWriter, context: WordContext, sheet: Sheet, place: BlockPlace) {
    [this.#writer, this.#context, this.#sheet, this.#place] = [writer, context, sheet, place];
  }

  #add(kind: Kind, children: readonly FileChild[]): void {
    const last = this.parts.at(-1);
    if (last?.kind === kind && kind !== 'cover') last.children.push(...children);
    else if (children.length > 0) this.parts.push({ kind, children: [...children] });
  }

  write(element: PageElement): void {
    const isSpecial = (one: PageElement) => hasClass(one, 'cover', 'title-block', 'landscape');
    for (const child of element.children) {
      if (!isElement(child)) this.#add('upright', this.#writer.write([child], this.#place));
      else if (hasClass(child, 'cover')) {
        const page = { ...this.#sheet, theme: this.#context.theme };
        this.#add('cover', writeCover(child, this.#writer, this.#place, page));
      } else if (hasClass(child, 'title-block')) this.#add('upright', writeTitle(child, this.#writer, this.#place));
      else if (hasClass(child, 'landscape')) {
        const width = this.#sheet.height - margin.left - margin.right;
        this.#add('landscape', this.#writer.write(child.children, { ...this.#place, width }));
      } else if (find(child, isSpecial)) this.write(child);
      else this.#add('upright', this.#writer.write([child], this.#place));
    }
  }
}

function describeLevels(isOrdered: boolean) {
  return Array.from({ length: 9 }, (_, level) => ({
    level,
    format: isOrdered ? LevelFormat.DECIMAL : LevelFormat.BULLET,
    text: isOrdered ? `%${level + 1}.` : (['•', '◦', '▪'][level % 3] ?? '•'),
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { start: (level + 1) * 400, hanging: 300 } } },
  }));
}

function writeSection(part: Part, sheet: Sheet, title: string, isMirrored: boolean, hidesFirst: boolean): ISectionOptions {
  const isCover = part.kind === 'cover';
  const isLandscape = part.kind === 'landscape';
  const none = { top: 0, bottom: 0, left: 0, right: 0, header: 0, footer: 0 };
  const direction = isMirrored ? { bidirectional: true } : {};
  const size = {
    ...sheet,
    orientation: isLandscape || sheet.width > sheet.height ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
  };
  const head = new Header({
    children: [
      new Paragraph({ style: 'Header', ...direction, children: [new TextRun({ text: title, rightToLeft: isMirrored })] }),
    ],
  });
  const foot = () =>
    new Footer({
      children: [
        new Paragraph({ style: 'Footer', ...direction, alignment: AlignmentType.END, children: [new SimpleField('PAGE', '1')] }),
      ],
    });
  const running = {
    headers: { default: head, ...(hidesFirst && { first: new Header({ children: [new Paragraph('')] }) }) },
    footers: { default: foot(), ...(hidesFirst && { first: foot() }) },
  };
  return {
    properties: {
      type: SectionType.NEXT_PAGE,
      page: { size, margin: isCover ? none : margin },
      titlePage: hidesFirst && !isCover,
    },
    ...(!isCover && running),
    children: part.children,
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
  /** Who has written it; empty if nobody is named. */
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
  const theme = await chooseTheme(root.attributes['data-theme'] ?? '', css, brand);
  const { pictures, remarks } = await readPagePictures(page, folder, theme, readFile);
  const sheet = readSheet(css);
  const width = sheet.width - margin.left - margin.right;
  const context = createContext(page, findPageWords(language), theme, pictures);
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
  const { colors } = theme;
  const document = new Document({
    title,
    creator: author || 'Errand',
    lastModifiedBy: author || 'Errand',
    styles: wordStyles(theme, language, isMirrored),
    theme: {
      colors: {
        dark1: colors.ink,
        light1: colors.ground,
        dark2: colors.soft,
        light2: colors.surface,
        accent1: colors.accent,
        accent2: colors.good,
        accent3: colors.warn,
        accent4: colors.bad,
        hyperlink: colors.accent,
      },
      fonts: { headings: theme.headFont, body: theme.textFont },
    },
    numbering: {
      config: [
        { reference: 'bullets', levels: describeLevels(false) },
        { reference: 'ordered', levels: describeLevels(true) },
      ],
    },
    footnotes: Object.fromEntries(notes),
    ...(isCountable(page) && { pageNumbers: estimatePageNumbersWith({ guess: true }) }),
    sections: parts.parts.map((part, at) => writeSection(part, sheet, title, isMirrored, at === 0 && !hasCover)),
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
