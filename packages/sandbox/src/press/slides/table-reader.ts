import { readBorders, readFill } from './box-styles.ts';
import type { LaidNode } from './layout-tree.ts';
import { boundLength, type Cell, type Frame, type Line, type TableBox } from './slide-data.ts';
import { readTextBlocks } from './text-collection.ts';

const mostColumns = 30;
const mostRows = 100;

function listRows(table: LaidNode, found: LaidNode[] = []): LaidNode[] {
  for (const child of table.children) {
    if (child.style('display') === 'table-row') found.push(child);
    else if (/^table-(row|header|footer)-group$/.test(child.style('display'))) listRows(child, found);
  }
  return found;
}

/** Where columns or rows begin, each once; space between cells belongs to the cell before it. */
function listStarts(values: readonly number[]): number[] {
  const starts: number[] = [];
  for (const value of values.toSorted((one, other) => one - other)) {
    if (starts.length === 0 || value - (starts.at(-1) ?? 0) > 1.5) starts.push(value);
  }
  return starts;
}

/** The first column or row that begins within a length, and how many do. */
function findSpan(starts: readonly number[], start: number, length: number): { first: number; count: number } {
  const isWithin = (value: number) => value > start - 1.6 && value < start + length - 1.5;
  return { first: starts.findIndex(isWithin), count: starts.filter(isWithin).length };
}

function listSizes(starts: readonly number[], end: number): number[] {
  return starts.map((start, at) => boundLength((starts[at + 1] ?? end) - start));
}

function readAnchor(cell: LaidNode): Cell['anchor'] {
  const align = cell.style('vertical-align');
  return align === 'top' || align === 'bottom' ? align : 'middle';
}

/** The distances of a cell's text from its edges, as an office sets them. */
function readPadding(cell: LaidNode): number[] {
  const [left = 0, top = 0, right = 0, bottom = 0] = ['left', 'top', 'right', 'bottom'].map((side) =>
    boundLength(Number.parseFloat(cell.style(`padding-${side}`))),
  );
  return [left, top, right, bottom];
}

function readCell(cell: LaidNode, row: LaidNode, columns: number, rows: number): Cell {
  const blocks = readTextBlocks(cell);
  const [first] = blocks;
  const padding = readPadding(cell);
  // The line stands where the browser put it, whatever the line's own height.
  const firstRow = first?.rows[0];
  if (first && firstRow) {
    const gap = first.paragraph.lineHeight - firstRow.textHeight;
    padding[1] = Math.max(0, boundLength(firstRow.frame.y - gap - cell.frame.y));
    padding[3] = 0;
  }
  // A cell must not break a line that the browser did not break.
  const align = first?.paragraph.align ?? 'left';
  if (align !== 'right') padding[2] = Math.min(padding[2] ?? 0, 2);
  if (align !== 'left') padding[0] = Math.min(padding[0] ?? 0, 2);
  const own = readBorders(cell);
  const shared = readBorders(row);
  return {
    columns,
    rows,
    fill: readFill(cell) ?? readFill(row),
    borders: own.map((line, side) => line ?? (side % 2 === 1 ? (shared[side] ?? null) : null)),
    padding,
    anchor: first ? 'top' : readAnchor(cell),
    paragraphs: blocks.map(({ paragraph }) => paragraph),
  };
}

/** Neighbors share a border, which an office draws only if both have it. */
function shareBorders(grid: (Cell | null)[][]): void {
  for (const [at, row] of grid.entries()) {
    for (const [column, cell] of row.entries()) {
      const below = grid[at + 1]?.[column];
      if (!cell || !below || cell.rows > 1) continue;
      const line: Line | null = cell.borders[3] ?? below.borders[1] ?? null;
      const strong = (below.borders[1]?.width ?? 0) > (cell.borders[3]?.width ?? 0) ? (below.borders[1] ?? null) : line;
      cell.borders[3] = strong;
      below.borders[1] = strong;
    }
  }
}

/** A table with its cells; null for one that is too large or holds none. */
export function readTable(table: LaidNode, frame: (one: Frame) => Frame): TableBox | null {
  const rows = listRows(table);
  const cells = rows.flatMap((row) =>
    row.children.filter((one) => one.style('display') === 'table-cell').map((cell) => ({ cell, row })),
  );
  if (cells.length === 0) return null;
  const frames = cells.map((one) => one.cell.frame);
  const [across, down] = [listStarts(frames.map(({ x }) => x)), listStarts(frames.map(({ y }) => y))];
  if (across.length > mostColumns || down.length > mostRows) return null;
  const grid = down.map((): (Cell | null)[] => across.map(() => null));
  for (const { cell, row } of cells) {
    const { x, y, width, height } = cell.frame;
    const [columns, lines] = [findSpan(across, x, width), findSpan(down, y, height)];
    const target = grid[lines.first];
    if (target && columns.count > 0) target[columns.first] = readCell(cell, row, columns.count, lines.count);
  }
  shareBorders(grid);
  const [left, top] = [across[0] ?? 0, down[0] ?? 0];
  const right = Math.max(...frames.map(({ x, width }) => x + width));
  const bottom = Math.max(...frames.map(({ y, height }) => y + height));
  const heights = listSizes(down, bottom);
  return {
    kind: 'table',
    frame: frame({ x: left, y: top, width: right - left, height: bottom - top }),
    columns: listSizes(across, right),
    rows: grid.map((row, at) => ({ height: heights[at] ?? 0, cells: row })),
  };
}
