import {
  AlignmentType,
  BorderStyle,
  type Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlignTable,
  WidthType,
} from 'docx';
import { textWidth } from '../fonts/text-width.ts';
import { type ColumnRequest, shareColumns } from '../tables/column-widths.ts';
import { find, hasClass, isElement, type PageElement, textOf } from './page-tree.ts';
import type { WordTheme } from './word-theme.ts';

/** How the content of a cell is written, at its width in twentieths of a point. */
export type WriteCell = (
  cell: PageElement,
  width: number,
  look: { isHead: boolean; isTotal: boolean; align: 'start' | 'center' | 'end' },
) => (Paragraph | Table)[];

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' };
const mostRows = 5_000;
const mostColumns = 40;
/** Places that cells over several rows take, in one table; beyond that they take one row. */
const mostSpanned = 5_000;

/** What a whole bar takes. */
const barWidth = 1_700;

interface Row {
  cells: PageElement[];
  kind: 'head' | 'body' | 'foot';
  /** Named as a total by its class. */
  isNamed: boolean;
}

function listRows(table: PageElement): Row[] {
  return table.children.filter(isElement).flatMap((part): Row[] => {
    if (part.name === 'tr') return [readRow(part, 'body')];
    const kind = part.name === 'thead' ? 'head' : part.name === 'tfoot' ? 'foot' : part.name === 'tbody' ? 'body' : null;
    return kind === null
      ? []
      : part.children
          .filter(isElement)
          .filter(({ name }) => name === 'tr')
          .map((row) => readRow(row, kind));
  });
}

function readRow(row: PageElement, kind: Row['kind']): Row {
  const cells = row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th');
  const isHead =
    kind === 'body' && cells.length > 0 && cells.every(({ name, attributes }) => name === 'th' && attributes['scope'] !== 'row');
  const isNamed = hasClass(row, 'total');
  return { cells, kind: isHead ? 'head' : isNamed ? 'foot' : kind, isNamed };
}

function spanOf({ attributes }: PageElement, name: 'colspan' | 'rowspan', most: number): number {
  const span = Math.trunc(Number(attributes[name] ?? 1));
  return span >= 1 ? Math.min(span, most) : 1;
}

/** The widths that the words of columns ask for; those of a cell over several count for none. */
function measure(rows: readonly Row[], count: number): ColumnRequest[] {
  const requests = Array.from({ length: count }, (): ColumnRequest => ({ widest: 500, longestWord: 500 }));
  for (const { cells } of rows.slice(0, 500)) {
    let column = 0;
    for (const cell of cells) {
      const request = requests[column];
      const span = spanOf(cell, 'colspan', mostColumns);
      column += span;
      if (!request || span > 1) continue;
      const text = textOf(cell);
      const wide = (words: string) => textWidth(words.slice(0, 2_000), true) * 19 * 10 + 300;
      const bar = find(cell, (element) => hasClass(element, 'bar')) ? barWidth : 0;
      request.widest = Math.max(request.widest, wide(text) + bar);
      for (const word of text.split(' ')) request.longestWord = Math.max(request.longestWord, wide(word));
    }
  }
  return requests;
}

/** Digits stand below each other at their right, also where the text runs to the left. */
function alignOf(cell: PageElement, isMirrored: boolean): 'start' | 'center' | 'end' {
  const said = cell.attributes['align'] ?? /text-align:\s*(\w+)/.exec(cell.attributes['style'] ?? '')?.[1];
  if (hasClass(cell, 'num')) return isMirrored ? 'start' : 'end';
  if (said === 'right' || said === 'end') return 'end';
  return said === 'center' ? 'center' : 'start';
}

/** What is summed up last; rows of a foot before it, such as a tax, are not in bold. */
function isTotal(rows: readonly Row[], { cells, kind, isNamed }: Row): boolean {
  return kind === 'foot' && cells.length > 0 && (isNamed || !rows.some((row) => row.isNamed));
}

function borders({ colors }: WordTheme, kind: Row['kind']) {
  const line = (size: number, color: string) => ({ style: BorderStyle.SINGLE, size, color });
  const bottom = kind === 'head' ? line(10, colors.accent) : line(4, colors.line);
  return { left: none, right: none, bottom, top: kind === 'foot' ? line(8, colors.ink) : none };
}

/** A table of the page in the whole width; its head is repeated on every page. Null if it has no cells. */
export function writeTable(
  table: PageElement,
  theme: WordTheme,
  place: { width: number; isMirrored: boolean },
  writeCell: WriteCell,
): Table | null {
  const rows = listRows(table)
    .filter(({ cells }) => cells.length > 0)
    .slice(0, mostRows);
  const widest = rows.reduce(
    (most, { cells }) =>
      Math.max(
        most,
        cells.reduce((sum, cell) => sum + spanOf(cell, 'colspan', mostColumns), 0),
      ),
    0,
  );
  const count = Math.min(widest, mostColumns);
  if (count === 0) return null;
  const columnWidths = shareColumns(measure(rows, count), place.width).map(Math.floor);
  const isStriped = hasClass(table, 'striped');
  let spanned = 0;
  const rowSpanOf = (cell: PageElement, columns: number, left: number) => {
    const rowSpan = spanOf(cell, 'rowspan', left);
    if (rowSpan > 1) spanned += rowSpan * columns;
    return spanned > mostSpanned ? 1 : rowSpan;
  };
  const made = rows.map((row, y) => {
    const { cells } = row;
    const kind = row.kind === 'foot' && !isTotal(rows, row) ? 'body' : row.kind;
    const fill = kind === 'head' ? theme.colors.tint : isStriped && y % 2 === 0 ? theme.colors.surface : null;
    let column = 0;
    const children = cells.slice(0, count).map((cell) => {
      const span = spanOf(cell, 'colspan', count);
      const at = column;
      column += span;
      const width = columnWidths.slice(at, at + span).reduce((sum, each) => sum + each, 0);
      const look = { isHead: kind === 'head', isTotal: kind === 'foot', align: alignOf(cell, place.isMirrored) };
      return new TableCell({
        columnSpan: span,
        rowSpan: rowSpanOf(cell, span, rows.length - y),
        width: { size: width, type: WidthType.DXA },
        borders: borders(theme, kind),
        ...(fill !== null && { shading: { fill } }),
        margins: { left: 110, right: 110, top: 30, bottom: 30 },
        verticalAlign: kind === 'head' ? VerticalAlignTable.BOTTOM : VerticalAlignTable.TOP,
        children: writeCell(cell, Math.max(400, width - 220), look),
      });
    });
    return new TableRow({ tableHeader: kind === 'head', cantSplit: true, children });
  });
  return new Table({
    columnWidths,
    layout: TableLayoutType.FIXED,
    width: { size: place.width, type: WidthType.DXA },
    visuallyRightToLeft: place.isMirrored,
    rows: made,
  });
}

/** Where the words of a cell stand. */
export const alignments = { start: AlignmentType.START, center: AlignmentType.CENTER, end: AlignmentType.END };
