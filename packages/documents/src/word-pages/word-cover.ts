import {
  AlignmentType,
  BorderStyle,
  type FileChild,
  HeadingLevel,
  HeightRule,
  HorizontalPositionRelativeFrom,
  ImageRun,
  LineRuleType,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlignTable,
  VerticalPositionRelativeFrom,
  WidthType,
} from 'docx';
import type { Picture } from '../pictures/picture-file.ts';
import { hasClass, isElement, type PageElement, textOf } from './page-tree.ts';
import type { Blocks, BlockPlace } from './block-place.ts';
import { titleLogo, type WordLogo } from './word-logo.ts';
import { alignments } from './word-table.ts';
import type { WordTheme } from './word-theme.ts';

const styles: readonly (readonly [name: string, style: string])[] = [
  ['kicker', 'Kicker'],
  ['subtitle', 'Subtitle'],
  ['byline', 'Byline'],
];

/** How a cover differs from a title above the text. */
interface CoverLook {
  title: string;
  soft: string;
  align: WordTheme['coverAlign'];
}

/** A title fills the same part of a cover, however long it is. In half points. */
function sizeTitle(words: string): number {
  return words.length > 120 ? 52 : words.length > 60 ? 64 : 80;
}

/** The parts of a title: its lines above and below, and the title itself. */
function writeParts(parts: readonly PageElement[], writer: Blocks, place: BlockPlace, cover?: CoverLook): Paragraph[] {
  const placed = { ...(place.isMirrored && { bidirectional: true }), ...(cover && { alignment: alignments[cover.align] }) };
  return parts.flatMap((part): Paragraph[] => {
    if (part.name === 'h1') {
      const look = cover ? { color: cover.title, size: sizeTitle(textOf(part)) } : {};
      return [new Paragraph({ heading: HeadingLevel.TITLE, ...placed, children: writer.words(part.children, place, look) })];
    }
    const style = styles.find(([name]) => hasClass(part, name))?.[1];
    const look = cover ? { color: cover.soft } : {};
    if (style === undefined) return writer.write([part], { ...place, look, ...(cover && { align: cover.align }) }) as Paragraph[];
    const bold = cover && style === 'Kicker' ? { bold: true } : {};
    const children = writer.words(part.children, place, { ...look, ...bold });
    return [
      new Paragraph({
        style,
        ...placed,
        ...(cover && { spacing: { before: style === 'Subtitle' ? 100 : 0, after: 0 } }),
        children,
      }),
    ];
  });
}

/** The title of a document with what belongs to it. */
export function writeTitle(element: PageElement, writer: Blocks, place: BlockPlace): Paragraph[] {
  return writeParts(element.children.filter(isElement), writer, place);
}

/** What a cover is made with. Lengths in twentieths of a point. */
export interface CoverPage {
  width: number;
  height: number;
  theme: WordTheme;
  logo: WordLogo | null;
  /** What fills the page; null for a color alone. */
  ground: Picture | null;
}

/** From the edges of the page to the words. */
const side = 1_420;
/** The line above the title with the logo; who and when at the foot. */
const rowHeights = { top: 3_600, foot: 3_000 };
const none = { style: BorderStyle.NONE, size: 0, color: 'auto' };

/** A short line below the title. */
function writeRule({ colors, coverAlign }: WordTheme, place: BlockPlace): Paragraph {
  const isDark = colors['on-cover'] === 'FFFFFF';
  const before = coverAlign === 'center' ? Math.round(place.width / 2) - 500 : 0;
  const line = {
    style: BorderStyle.SINGLE,
    size: isDark ? 24 : 8,
    color: isDark ? colors['cover-soft'] : colors.accent,
    space: 1,
  };
  return new Paragraph({
    ...(place.isMirrored && { bidirectional: true }),
    border: { bottom: line },
    indent: { start: before, end: place.width - 1_000 - before },
    spacing: { before: 360, after: 0, line: 120, lineRule: LineRuleType.EXACT },
  });
}

/** Behind the words, from edge to edge. */
function writeGround({ bytes, format, width, height }: Picture): ImageRun {
  return new ImageRun({
    type: format,
    data: bytes,
    transformation: { width, height },
    altText: { title: '', description: '', name: 'Cover' },
    floating: {
      horizontalPosition: { relative: HorizontalPositionRelativeFrom.PAGE, offset: 0 },
      verticalPosition: { relative: VerticalPositionRelativeFrom.PAGE, offset: 0 },
      behindDocument: true,
      layoutInCell: false,
    },
  });
}

/** A cover that fills its page: the line above at the top, the title in the middle, who and when at the foot. Its section has no margins. */
export function writeCover(element: PageElement, writer: Blocks, place: BlockPlace, page: CoverPage): FileChild[] {
  const { colors } = page.theme;
  const inner = { ...place, width: page.width - 2 * side };
  const look = { title: colors['on-cover'], soft: colors['cover-soft'], align: page.theme.coverAlign };
  const parts = element.children.filter(isElement);
  const write = (chosen: readonly PageElement[]) => writeParts(chosen, writer, inner, look);
  const [above, below] = ['kicker', 'byline'].map((name) => parts.filter((part) => hasClass(part, name)));
  const middle = parts.filter((part) => !hasClass(part, 'kicker', 'byline'));
  const row = (
    height: number,
    verticalAlign: (typeof VerticalAlignTable)[keyof typeof VerticalAlignTable],
    made: FileChild[],
  ) => {
    const cell = new TableCell({
      width: { size: page.width, type: WidthType.DXA },
      borders: { top: none, bottom: none, left: none, right: none },
      ...(!page.ground && { shading: { fill: colors.cover } }),
      margins: { left: side, right: side, top: 0, bottom: 0 },
      verticalAlign,
      children: made.length > 0 ? (made as Paragraph[]) : [new Paragraph('')],
    });
    return new TableRow({ height: { value: height, rule: HeightRule.EXACT }, children: [cell] });
  };
  const edge = new Paragraph({ spacing: { before: 0, after: 0, line: side, lineRule: LineRuleType.EXACT } });
  const table = new Table({
    columnWidths: [page.width],
    layout: TableLayoutType.FIXED,
    width: { size: page.width, type: WidthType.DXA },
    rows: [
      row(rowHeights.top, VerticalAlignTable.TOP, [
        edge,
        ...titleLogo(page.logo, 'cover', place.isMirrored, page.theme.coverAlign),
        ...write(above ?? []),
      ]),
      row(page.height - 60 - rowHeights.top - rowHeights.foot, VerticalAlignTable.CENTER, [
        ...write(middle),
        writeRule(page.theme, inner),
      ]),
      row(rowHeights.foot, VerticalAlignTable.BOTTOM, [...write(below ?? []), edge]),
    ],
  });
  // Word needs a paragraph after a table; this one takes no place.
  const end = { spacing: { before: 0, after: 0, line: 20, lineRule: LineRuleType.EXACT }, alignment: AlignmentType.START };
  return [table, new Paragraph({ ...end, children: page.ground ? [writeGround(page.ground)] : [] })];
}
