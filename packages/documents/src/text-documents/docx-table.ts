import {
  AlignmentType,
  BorderStyle,
  LineRuleType,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlignTable,
  WidthType,
} from 'docx';
import { textWidth } from '../fonts/text-width.ts';
import { type CellAlignment, joinRuns, type Run, type TableBlock } from '../content/blocks.ts';
import { type ColumnRequest, shareColumns } from '../tables/column-widths.ts';
import { writeRuns } from './docx-runs.ts';

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' };
const thin = { style: BorderStyle.SINGLE, size: 4, color: 'E2E8F0' };
const strong = { style: BorderStyle.SINGLE, size: 8, color: '93C5FD' };

const alignments: Record<CellAlignment, (typeof AlignmentType)[keyof typeof AlignmentType]> = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
};

/** The width that a column's texts need, in twentieths of a point. */
function measureColumn(cells: readonly Run[][]): ColumnRequest {
  const texts = cells.map(joinRuns);
  const wide = (text: string) => textWidth(text, true) * 21 * 10 + 300;
  const words = texts.flatMap((text) => text.split(/\s+/));
  const most = (all: readonly string[]) => all.reduce((max, text) => Math.max(max, wide(text)), 0);
  return { widest: most(texts), longestWord: most(words) };
}

function shareWidth(table: TableBlock, width: number): number[] {
  const requests = table.header.map((head, at) => measureColumn([head, ...table.rows.slice(0, 500).map((row) => row[at] ?? [])]));
  return shareColumns(requests, width).map(Math.floor);
}

function writeRow(cells: readonly Run[][], widths: readonly number[], table: TableBlock, isHead: boolean): TableRow {
  const borders = { top: none, left: none, right: none, bottom: isHead ? strong : thin };
  const shading = isHead ? { shading: { type: ShadingType.CLEAR, fill: 'EFF6FF', color: 'auto' } } : {};
  const children = widths.map((size, at) => {
    const runs = (cells[at] ?? []).map((run) => (isHead ? { ...run, isBold: true } : run));
    const alignment = alignments[table.alignments[at] ?? 'left'];
    const paragraph = new Paragraph({
      alignment,
      spacing: { before: 40, after: 40, line: 260, lineRule: LineRuleType.AUTO },
      children: writeRuns(runs),
    });
    const margins = { left: 110, right: 110, top: 30, bottom: 30 };
    const width = { size, type: WidthType.DXA };
    return new TableCell({ width, borders, ...shading, margins, verticalAlign: VerticalAlignTable.TOP, children: [paragraph] });
  });
  return new TableRow({ tableHeader: isHead, cantSplit: true, children });
}

/** A full-width table; its header is repeated on every page. */
export function writeTable(table: TableBlock, width: number): Table {
  const columnWidths = shareWidth(table, width);
  const rows = [
    writeRow(table.header, columnWidths, table, true),
    ...table.rows.map((row) => writeRow(row, columnWidths, table, false)),
  ];
  return new Table({ columnWidths, layout: TableLayoutType.FIXED, width: { size: width, type: WidthType.DXA }, rows });
}
