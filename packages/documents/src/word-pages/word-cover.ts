import {
  BorderStyle,
  type FileChild,
  HeadingLevel,
  HeightRule,
  LineRuleType,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlignTable,
  WidthType,
} from 'docx';
import { hasClass, isElement, type PageElement } from './page-tree.ts';
import type { Blocks, BlockPlace } from './block-place.ts';
import { titleLogo, type WordLogo } from './word-logo.ts';
import type { WordTheme } from './word-theme.ts';

const styles: readonly (readonly [name: string, style: string])[] = [
  ['kicker', 'Kicker'],
  ['subtitle', 'Subtitle'],
  ['byline', 'Byline'],
];

/** The title of a document with what belongs to it. */
export function writeTitle(
  element: PageElement,
  writer: Blocks,
  place: BlockPlace,
  colors?: { title: string; soft: string },
): Paragraph[] {
  const look = (color: string | undefined) => (color === undefined ? {} : { color });
  return element.children.filter(isElement).flatMap((part): Paragraph[] => {
    if (part.name === 'h1') {
      const children = writer.words(part.children, place, look(colors?.title));
      return [new Paragraph({ heading: HeadingLevel.TITLE, ...(place.isMirrored && { bidirectional: true }), children })];
    }
    const style = styles.find(([name]) => hasClass(part, name))?.[1];
    if (style === undefined) return writer.write([part], { ...place, look: look(colors?.soft) }) as Paragraph[];
    const children = writer.words(part.children, place, look(colors?.soft));
    return [new Paragraph({ style, ...(place.isMirrored && { bidirectional: true }), children })];
  });
}

/** A cover that fills its page with the color of the theme. Its section has no margins. */
export function writeCover(
  element: PageElement,
  writer: Blocks,
  place: BlockPlace,
  page: { width: number; height: number; theme: WordTheme; logo: WordLogo | null },
): FileChild[] {
  const { colors } = page.theme;
  const side = 1_420;
  const inner = { ...place, width: page.width - 2 * side };
  const none = { style: BorderStyle.NONE, size: 0, color: 'auto' };
  const cell = new TableCell({
    width: { size: page.width, type: WidthType.DXA },
    borders: { top: none, bottom: none, left: none, right: none },
    shading: { fill: colors.cover },
    margins: { left: side, right: side, top: side, bottom: side },
    verticalAlign: VerticalAlignTable.CENTER,
    children: [
      ...titleLogo(page.logo, true, place.isMirrored),
      ...writeTitle(element, writer, inner, { title: colors['on-cover'], soft: colors['cover-soft'] }),
    ],
  });
  const table = new Table({
    columnWidths: [page.width],
    layout: TableLayoutType.FIXED,
    width: { size: page.width, type: WidthType.DXA },
    rows: [new TableRow({ height: { value: page.height - 60, rule: HeightRule.EXACT }, children: [cell] })],
  });
  // Word needs a paragraph after a table; this one takes no place.
  return [table, new Paragraph({ spacing: { before: 0, after: 0, line: 20, lineRule: LineRuleType.EXACT } })];
}
