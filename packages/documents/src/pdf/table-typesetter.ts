import type { CellAlignment, Run, TableBlock } from '../content/blocks.ts';
import { type ColumnRequest, shareColumns } from '../tables/column-widths.ts';
import type { Typesetting } from './typesetting.ts';
import { breakLines, drawLine, type Line, type TextStyle } from './text-lines.ts';

const cellText: TextStyle = { size: 9.4, color: '#1e293b' };
const headText: TextStyle = { size: 9.4, color: '#0f172a', isBold: true };
const lineHeight = 13.4;
const padding = { x: 7, y: 5 };
const grid = { head: '#eff6ff', headLine: '#93c5fd', line: '#e2e8f0' } as const;

/** The preferred width of a column, and its minimum without breaking words. */
function measureColumn(setting: Typesetting, cells: readonly Run[][]): ColumnRequest {
  const { book } = setting.flow;
  let [widest, longestWord] = [0, 0];
  for (const runs of cells) {
    const lines = breakLines(runs, headText, Number.POSITIVE_INFINITY, book);
    for (const { width, pieces } of lines) {
      widest = Math.max(widest, width);
      longestWord = pieces.reduce((most, piece) => Math.max(most, piece.isSpace ? 0 : piece.width), longestWord);
    }
  }
  return { widest: widest + 2 * padding.x, longestWord: longestWord + 2 * padding.x };
}

interface TableSetting {
  setting: Typesetting;
  widths: number[];
  alignments: readonly CellAlignment[];
}

type Row = readonly Line[][];

function breakRow({ setting, widths }: TableSetting, cells: readonly Run[][], style: TextStyle): Row {
  return widths.map((width, at) => breakLines(cells[at] ?? [], style, width - 2 * padding.x + 0.01, setting.flow.book));
}

function countLines(row: Row): number {
  return row.reduce((most, lines) => Math.max(most, lines.length), 1);
}

/** Draws some lines of a row; a row taller than a page continues with the next ones. */
function drawRow({ setting, widths, alignments }: TableSetting, row: Row, from: number, count: number, style: TextStyle): void {
  const { flow, indent } = setting;
  const height = count * lineHeight + 2 * padding.y;
  const left = flow.left + indent;
  const width = widths.reduce((sum, part) => sum + part, 0);
  if (style === headText) flow.sheet.fillBox({ x: left, y: flow.y, width, height }, grid.head);
  let x = left;
  for (const [at, lines] of row.entries()) {
    const available = (widths[at] ?? 0) - 2 * padding.x;
    for (const [number, line] of lines.slice(from, from + count).entries()) {
      const free = Math.max(available - line.width, 0);
      const shift = alignments[at] === 'right' ? free : alignments[at] === 'center' ? free / 2 : 0;
      const y = flow.y + padding.y + (number + 0.5) * lineHeight + style.size * 0.35;
      drawLine(flow.sheet, line, x + padding.x + shift, y, style);
    }
    x += widths[at] ?? 0;
  }
  flow.y += height;
  const isHead = style === headText;
  flow.sheet.drawLine(left, flow.y, left + width, flow.y, isHead ? grid.headLine : grid.line, isHead ? 1 : 0.6);
}

/** Sets a table; its header is repeated on every page. */
export function setTable(setting: Typesetting, table: TableBlock): void {
  const { flow, indent } = setting;
  const columns = table.header.map((head, at) =>
    measureColumn(setting, [head, ...table.rows.slice(0, 2_000).map((row) => row[at] ?? [])]),
  );
  const widths = shareColumns(columns, flow.width - indent);
  const tableSetting: TableSetting = { setting, widths, alignments: table.alignments };
  const head = breakRow(tableSetting, table.header, headText);
  const headLines = countLines(head);
  const drawHead = () => drawRow(tableSetting, head, 0, headLines, headText);
  flow.need((headLines + 2) * lineHeight + 4 * padding.y);
  drawHead();
  for (const cells of table.rows) {
    const row = breakRow(tableSetting, cells, cellText);
    const lines = countLines(row);
    for (let from = 0; from < lines; ) {
      const available = Math.floor((flow.bottom - flow.y - 2 * padding.y) / lineHeight);
      const fits = lines - from <= available;
      // A row is split only if it is taller than a page.
      if (!fits && (available < 3 || lines * lineHeight < flow.usableHeight * 0.6)) {
        flow.addPage();
        drawHead();
      }
      const space = Math.max(1, Math.floor((flow.bottom - flow.y - 2 * padding.y) / lineHeight));
      const count = Math.min(lines - from, space);
      drawRow(tableSetting, row, from, count, cellText);
      from += count;
    }
  }
}
