import {
  Bookmark,
  BorderStyle,
  type FileChild,
  HeadingLevel,
  type IParagraphOptions,
  Paragraph,
  type ParagraphChild,
  TableOfContents,
  TextRun,
} from 'docx';
import { isRightToLeft } from '../content/page-words.ts';
import { hasClass, isElement, type PageElement, type PageNode, textOf, toneOf } from './page-tree.ts';
import type { Blocks, BlockPlace } from './block-place.ts';
import { BoxWriter, isBoxed } from './word-boxes.ts';
import type { WordContext } from './word-context.ts';
import { CvWriter } from './word-cv.ts';
import { FigureWriter } from './word-figures.ts';
import { InlineWriter, isSilent, type Look, targetOf } from './word-inline.ts';
import { calloutStyles } from './word-styles.ts';
import { alignments } from './word-table.ts';

const levels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];
const inlineNames = new Set(
  'a abbr b bdi bdo br cite code data del dfn em i img input ins kbd label mark q s samp small span strong sub sup svg time u var wbr'.split(
    ' ',
  ),
);
const paragraphStyles: Readonly<Record<string, string>> = {
  lead: 'Lead',
  kicker: 'Kicker',
  subtitle: 'Subtitle',
  byline: 'Byline',
  source: 'Source',
  small: 'Source',
  'letter-date': 'LetterDate',
  'cv-role': 'CvRole',
  where: 'Where',
};
function isInline(node: PageNode): boolean {
  return !isElement(node) || inlineNames.has(node.name);
}

function isEmpty(node: PageNode): boolean {
  return !isElement(node) && node.trim() === '';
}

/** Writes the blocks of a page. */
export class BlockWriter implements Blocks {
  readonly #context: WordContext;
  /** How far the headings are above those of the page, whose title is not one of them. */
  readonly #topLevel: number;
  #lists = 0;
  #breaksPage = false;

  constructor(context: WordContext, topLevel: number) {
    this.#context = context;
    this.#topLevel = topLevel;
  }

  /** Whether what is written next begins a page. */
  get breaksPage(): boolean {
    return this.#breaksPage;
  }

  /** Lets what is written next begin a page. */
  breakPage(): void {
    this.#breaksPage = true;
  }

  /** A paragraph at its place. */
  paragraph(children: readonly ParagraphChild[], place: BlockPlace, options: IParagraphOptions = {}): Paragraph {
    const pageBreakBefore = this.#breaksPage;
    this.#breaksPage = false;
    return new Paragraph({
      ...(place.style !== null && { style: place.style }),
      ...(place.isMirrored && { bidirectional: true }),
      ...(place.align !== undefined && { alignment: alignments[place.align] }),
      ...options,
      // Space above the first line of a page would be empty.
      ...(pageBreakBefore && { pageBreakBefore, spacing: { ...options.spacing, before: 0 } }),
      children,
    });
  }

  /** The place of an element that says its own direction. */
  #directed(element: PageElement, place: BlockPlace): BlockPlace {
    const direction = element.attributes['dir'];
    if (direction === 'auto') return { ...place, isMirrored: isRightToLeft(textOf(element)) };
    return direction === undefined ? place : { ...place, isMirrored: direction === 'rtl' };
  }

  words(nodes: readonly PageNode[], place: BlockPlace, look: Look = {}): ParagraphChild[] {
    return new InlineWriter(this.#context, place.width, place.isMirrored).write(nodes, { ...place.look, ...look });
  }

  /** Blocks one below the other; words between them are paragraphs. */
  write(nodes: readonly PageNode[], place: BlockPlace): FileChild[] {
    const made: FileChild[] = [];
    let loose: PageNode[] = [];
    const flush = () => {
      const children = loose.every(isEmpty) ? [] : this.words(loose, place);
      loose = [];
      if (children.length > 0) made.push(this.paragraph(children, place));
    };
    for (const node of nodes) {
      if (isInline(node)) loose.push(node);
      else if (isElement(node) && !isSilent(node)) {
        flush();
        const isFirst = place.isFirst === true && made.length === 0;
        made.push(...this.#writeElement(node, this.#directed(node, { ...place, isFirst })));
      }
    }
    flush();
    return made;
  }

  #writeElement(element: PageElement, place: BlockPlace): FileChild[] {
    const { name, children } = element;
    if (hasClass(element, 'new-page', 'chapter') || /break-before:\s*page/.test(element.attributes['style'] ?? ''))
      this.breakPage();
    if (/^h[1-6]$/.test(name)) return [this.#writeHeading(element, place)];
    if (hasClass(element, 'footnotes')) return this.#writeUnusedNotes(element, place);
    if (hasClass(element, 'toc')) return this.#writeContents(element, place);
    if (hasClass(element, 'callout')) return this.#writeCallout(element, place);
    if (hasClass(element, 'cv')) return new CvWriter(this, this.#context.theme).write(element, place);
    if (isBoxed(element)) return new BoxWriter(this, this.#context.theme).write(element, place);
    switch (name) {
      case 'p':
        return this.#writeParagraph(element, place);
      case 'ul':
      case 'ol':
        return this.#writeList(element, place);
      case 'table':
        return new FigureWriter(this, this.#context).writeTable(element, place);
      case 'figure':
        return new FigureWriter(this, this.#context).writeFigure(element, place);
      case 'blockquote':
        return this.#writeQuote(element, place);
      case 'pre':
        return this.#writeCode(element, place);
      case 'hr':
        return [
          this.paragraph([], place, {
            border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: this.#context.theme.colors.line, space: 1 } },
          }),
        ];
      case 'dt':
        return [this.paragraph(this.words(children, place, { bold: true }), place, { keepNext: true })];
      default:
        return this.write(children, place);
    }
  }

  #writeHeading(element: PageElement, place: BlockPlace): Paragraph {
    if (place.isBoxed) return this.paragraph(this.words(element.children, place), { ...place, style: 'BoxHeading' });
    const level = Math.max(0, Number(element.name.slice(1)) - this.#topLevel);
    const words = this.words(element.children, place, hasClass(element, 'letter-subject') ? { size: 27 } : {});
    const label = this.#context.labels.get(element.attributes['id'] ?? '');
    const heading = levels[level] ?? HeadingLevel.HEADING_6;
    return this.paragraph(
      label === undefined ? words : [new Bookmark({ id: label, children: words })],
      { ...place, style: null },
      { heading, ...(place.isFirst && { spacing: { before: 0 } }) },
    );
  }

  #writeParagraph(element: PageElement, place: BlockPlace): FileChild[] {
    const children = this.words(element.children, place);
    if (children.length === 0) return [];
    if (hasClass(element, 'letter-sign')) return [this.paragraph(children, place, { spacing: { before: 760, after: 150 } })];
    const named = Object.entries(paragraphStyles).find(([name]) => hasClass(element, name))?.[1];
    return [this.paragraph(children, named === undefined ? place : { ...place, style: named })];
  }

  #writeCallout(element: PageElement, place: BlockPlace): FileChild[] {
    const { children } = element;
    if (children.some((child) => isElement(child) && /^(ul|ol|dl|table|figure|div)$/.test(child.name)))
      return new BoxWriter(this, this.#context.theme).writeCallout(element, place);
    return this.write(children, { ...place, style: calloutStyles[toneOf(element) ?? 'plain'] });
  }

  #writeList(list: PageElement, place: BlockPlace): FileChild[] {
    const reference = list.name === 'ol' ? 'ordered' : 'bullets';
    const instance = this.#lists++;
    const level = Math.min(place.listDepth, 8);
    const inner = { ...place, style: 'ListText', listDepth: place.listDepth + 1 };
    return list.children.filter(isElement).flatMap((item) => {
      const blocks = item.children.findIndex((child) => !isInline(child) && !(isElement(child) && child.name === 'p'));
      const [first, rest] = blocks < 0 ? [item.children, []] : [item.children.slice(0, blocks), item.children.slice(blocks)];
      const flat = first.flatMap((child) => (isElement(child) && child.name === 'p' ? child.children : [child]));
      const hasBox = first.some((child) => isElement(child) && child.name === 'input');
      const options = hasBox
        ? { indent: { start: (level + 1) * 400, hanging: 300 } }
        : { numbering: { reference, level, instance } };
      return [this.paragraph(this.words(flat, inner), inner, options), ...this.write(rest, inner)];
    });
  }

  #writeQuote(element: PageElement, place: BlockPlace): FileChild[] {
    const isSource = (node: PageNode) => isElement(node) && (node.name === 'cite' || node.name === 'footer');
    const said = this.write(
      element.children.filter((node) => !isSource(node)),
      { ...place, style: 'Quote' },
    );
    const sources = element.children.filter(isElement).filter(isSource);
    return [
      ...said,
      ...sources.map((source) => this.paragraph(this.words(source.children, place), { ...place, style: 'QuoteSource' })),
    ];
  }

  #writeCode(element: PageElement, place: BlockPlace): FileChild[] {
    const read = (node: PageNode): string => (isElement(node) ? node.children.map(read).join('') : node);
    const lines = read(element).replace(/\n$/, '').split('\n').slice(0, 5_000);
    return lines.map((line) => this.paragraph([new TextRun(line)], { ...place, style: 'CodeBlock', isMirrored: false }));
  }

  #writeContents(element: PageElement, place: BlockPlace): FileChild[] {
    const title = element.children.filter(isElement).find(({ name }) => /^h[1-6]$/.test(name));
    const words = title ? textOf(title) : this.#context.words.contents;
    const heading = this.paragraph([new TextRun(words)], { ...place, style: 'TOCHeading' });
    this.breakPage();
    return [heading, new TableOfContents(words, { hyperlink: true, headingStyleRange: '1-3' })];
  }

  /** Notes that no word refers to stay where they are. */
  #writeUnusedNotes(element: PageElement, place: BlockPlace): FileChild[] {
    const items = [...this.#context.notes].filter(([id]) => !this.#context.usedNotes().includes(id)).map(([, item]) => item);
    if (items.length === 0) return [];
    const title = element.children.filter(isElement).filter(({ name }) => /^h[1-6]$/.test(name));
    return this.write([...title, { name: 'ol', attributes: {}, children: items }], place);
  }

  /** The words of a note, without the link back. */
  writeNote(item: PageElement, place: BlockPlace): Paragraph {
    const children = item.children.flatMap((child) => (isElement(child) && child.name === 'p' ? child.children : [child]));
    const words = children.filter((child) => !(isElement(child) && child.name === 'a' && targetOf(child) !== ''));
    return this.paragraph(this.words(words, place), { ...place, style: 'FootnoteText' });
  }
}
