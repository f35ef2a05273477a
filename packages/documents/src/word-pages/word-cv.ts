import { BorderStyle, type FileChild, HeadingLevel, Paragraph, Tab, TabStopType, TextRun } from 'docx';
import { textWidth } from '../fonts/text-width.ts';
import type { Blocks, BlockPlace } from './block-place.ts';
import { descendants, find, hasClass, isElement, type PageElement, type PageNode, textOf } from './page-tree.ts';
import { writeColumns } from './word-columns.ts';
import type { Sheet } from './word-sheet.ts';
import type { WordTheme } from './word-theme.ts';

/** Of the width, the column beside the entries and that of the entries. */
const shares = { aside: 0.3, entries: 0.7 };
/** Between a column and the line beside it, on both sides, in twentieths of a point. */
const inset = 160;

interface CvParts {
  head: PageElement[];
  aside: PageElement[];
  entries: PageElement[];
  /** Whether the page names the aside first, which puts it first on paper. */
  startsAside: boolean;
}

function readParts(cv: PageElement): CvParts {
  const items = cv.children.filter(isElement);
  const below = items.filter(({ name }) => name !== 'header');
  return {
    head: items.filter(({ name }) => name === 'header'),
    aside: below.filter(({ name }) => name === 'aside'),
    entries: below.filter(({ name }) => name !== 'aside'),
    startsAside: below[0]?.name === 'aside',
  };
}

/** Text sizes in half points, the first that fits is taken; `sizeOfTwoPages` where none does. */
const sizes = [23, 22, 21, 20, 19, 18];
const sizeOfTwoPages = 20;
/** What name, role, and rule take, in twentieths of a point. */
const headHeight = 1_700;

/** About how high a column is, in twentieths of a point. */
function estimateHeight(column: readonly PageElement[], width: number, size: number): number {
  const em = size * 10;
  const blocks = column.flatMap((each) => [...descendants(each)]).filter(({ name }) => /^(p|li|h[1-6]|tr|dt|dd)$/.test(name));
  return blocks.reduce((sum, block) => {
    if (hasClass(block, 'when')) return sum;
    const breaks = [...descendants(block)].filter(({ name }) => name === 'br').length;
    const lines = breaks + Math.max(1, Math.ceil((textWidth(textOf(block)) * em) / width));
    return sum + lines * em * 1.28 + (block.name.startsWith('h') ? 260 : 65);
  }, 0);
}

/** The size of the text by which a curriculum vitae is on one page, in half points, as far as it can be told without Word. */
export function chooseCvSize(cv: PageElement, { width, height, margin }: Sheet): number {
  const { aside, entries } = readParts(cv);
  const [across, down] = [width - margin.left - margin.right, height - margin.top - margin.bottom - headHeight];
  const columns = [
    [aside, across * shares.aside - inset],
    [entries, across * shares.entries - 2 * inset],
  ] as const;
  const fits = (size: number) => columns.every(([column, wide]) => estimateHeight(column, wide, size) <= down);
  return sizes.find(fits) ?? sizeOfTwoPages;
}

const isEntry = (node: PageNode) => isElement(node) && hasClass(node, 'entry');
const holdsEntries = (node: PageNode) => isElement(node) && (isEntry(node) || find(node, isEntry) !== undefined);

/** A paragraph that nobody sees. */
function writeSliver(): Paragraph {
  return new Paragraph({ spacing: { before: 0, after: 0, line: 20 }, children: [new TextRun({ text: '', size: 2 })] });
}

/** Writes a curriculum vitae as the design kit lays it out: who it is, and below that two columns. */
export class CvWriter {
  readonly #blocks: Blocks;
  readonly #theme: WordTheme;

  constructor(blocks: Blocks, theme: WordTheme) {
    this.#blocks = blocks;
    this.#theme = theme;
  }

  write(cv: PageElement, place: BlockPlace): FileChild[] {
    const { head, aside, entries, startsAside } = readParts(cv);
    const top = head.flatMap((one) => this.#writeHead(one, place));
    if (aside.length === 0 || entries.length === 0) return [...top, ...this.#writeColumn([...aside, ...entries], place)];
    const column = (share: number, parts: readonly PageElement[]) => ({
      share,
      write: (width: number) => this.#writeColumn(parts, { ...place, width }),
    });
    const columns = [column(shares.aside, aside), column(shares.entries, entries)];
    const line = { start: this.#theme.colors.line };
    const cells = (startsAside ? columns : columns.reverse()).map((one, at) => ({ ...one, look: at === 0 ? {} : line }));
    // A document cannot end with a table; this paragraph must not take a page.
    return [...top, writeColumns(cells, { ...place, canSplit: true }), writeSliver()];
  }

  #writeHead(head: PageElement, place: BlockPlace): FileChild[] {
    const title = head.children.filter(isElement).find(({ name }) => name === 'h1');
    const rest = head.children.filter((child) => child !== title);
    const line = { style: BorderStyle.SINGLE, size: 18, color: this.#theme.colors.accent, space: 1 };
    const rule = new Paragraph({ border: { bottom: line }, spacing: { before: 0, after: 300, line: 120 } });
    const name = title ? [this.#blocks.paragraph(this.#blocks.words(title.children, place), { ...place, style: 'Title' })] : [];
    return [...name, ...this.#blocks.write(rest, place), rule];
  }

  /** A cell ends with a paragraph. */
  #writeColumn(parts: readonly PageElement[], place: BlockPlace): FileChild[] {
    const made = this.#writeNodes(
      parts.flatMap((part) => (isEntry(part) ? [part] : part.children)),
      { ...place, isFirst: true },
    );
    // A heading at the head of a cell, which is kept with what follows, would keep LibreOffice from dividing the row.
    return [writeSliver(), ...made, ...(made.at(-1) instanceof Paragraph ? [] : [writeSliver()])];
  }

  #writeNodes(nodes: readonly PageNode[], place: BlockPlace): FileChild[] {
    const made: FileChild[] = [];
    const inner = () => ({ ...place, isFirst: place.isFirst === true && made.length === 0 });
    let loose: PageNode[] = [];
    const flush = () => {
      made.push(...this.#blocks.write(loose, inner()));
      loose = [];
    };
    for (const node of nodes) {
      if (!isElement(node) || !holdsEntries(node)) {
        loose.push(node);
        continue;
      }
      flush();
      made.push(...(isEntry(node) ? this.#writeEntry(node, inner()) : this.#writeNodes(node.children, inner())));
    }
    flush();
    return made;
  }

  /** What it was, with its time at the end of the line; below that where, and what was done. */
  #writeEntry(entry: PageElement, place: BlockPlace): FileChild[] {
    const items = entry.children.filter(isElement);
    const title = items.find(({ name }) => /^h[1-6]$/.test(name));
    const when = items.find((item) => hasClass(item, 'when'));
    if (!title) return this.#blocks.write(entry.children, place);
    const rest = entry.children.filter((child) => child !== title && child !== when);
    const plain = { bold: false, color: this.#theme.colors.soft, size: 18 };
    const time = when ? [new TextRun({ children: [new Tab()] }), ...this.#blocks.words(when.children, place, plain)] : [];
    const options = {
      heading: HeadingLevel.HEADING_2,
      tabStops: [{ type: TabStopType.END, position: place.width }],
      ...(place.isFirst && { spacing: { before: 0 } }),
    };
    const words = [...this.#blocks.words(title.children, place), ...time];
    return [
      this.#blocks.paragraph(words, { ...place, style: null }, options),
      ...this.#blocks.write(rest, { ...place, isFirst: false }),
    ];
  }
}
