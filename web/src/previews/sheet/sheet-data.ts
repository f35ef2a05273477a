import { type CellFacts, type CellValue, Looks, presentCell, type SheetCell } from './sheet-cell.ts';
import type { SheetLook } from './sheet-look.ts';

/** Merged cells. */
export interface SheetMerge {
  row: number;
  column: number;
  rowCount: number;
  columnCount: number;
}

/** The displayed part of a sheet. */
export interface SheetData {
  name: string;
  rows: readonly (readonly SheetCell[])[];
  columnCount: number;
  /** Whether there are more rows or columns than are shown. */
  isCut: boolean;
  looks: readonly SheetLook[];
  merges: readonly SheetMerge[];
  /** Pixels; null if the content determines the width, 0 for hidden columns. */
  widths: readonly (number | null)[];
  /** Rows that stay visible when scrolling; columns likewise. */
  frozenRows: number;
  frozenColumns: number;
  chartCount: number;
}

/** Display limit of one sheet. */
export const mostRows = 50_000;
export const mostColumns = 256;
export const mostSheets = 50;
/** Limit of all sheets combined: every cell is sent from the worker to the page. */
export const mostCells = 1_000_000;
const mostMerges = 2_000;
const mostFrozen = 5;
/** Width of the character in which spreadsheets measure columns. Pixels. */
const letterWidth = 7.6;

/** A parsed sheet. */
export interface SheetSource {
  name: string;
  rows: readonly (readonly CellValue[])[];
  /** Cells by `row,column`. */
  cells?: ReadonlyMap<string, CellFacts>;
  columns?: readonly { width?: number; hidden?: boolean }[];
  merges?: readonly { startRow: number; startCol: number; endRow: number; endCol: number }[];
  freezePane?: { rows?: number; columns?: number };
  charts?: readonly unknown[];
}

function presentMerges({ merges = [] }: SheetSource, rowCount: number, columnCount: number): SheetMerge[] {
  return merges.slice(0, mostMerges).flatMap(({ startRow: row, startCol: column, endRow, endCol }) => {
    const merge = {
      row,
      column,
      rowCount: Math.min(endRow + 1, rowCount) - row,
      columnCount: Math.min(endCol + 1, columnCount) - column,
    };
    const isOne = merge.rowCount < 1 || merge.columnCount < 1 || (merge.rowCount === 1 && merge.columnCount === 1);
    return isOne ? [] : [merge];
  });
}

function presentWidths({ columns = [] }: SheetSource, columnCount: number): (number | null)[] {
  return Array.from({ length: columnCount }, (_, index) => {
    const { width, hidden } = columns[index] ?? {};
    if (hidden === true) return 0;
    return width === undefined ? null : Math.round(Math.min(600, Math.max(28, width * letterWidth + 8)));
  });
}

export interface PresentOptions {
  /** The maximum number of cells to show. */
  cells?: number;
  /** The colors of the workbook's theme, in the order in which cells reference them. */
  theme?: readonly string[];
}

/** The displayed part of a sheet, without empty rows at the end. */
export function presentSheet(sheet: SheetSource, { cells = mostCells, theme = [] }: PresentOptions = {}): SheetData {
  const { name, rows, freezePane } = sheet;
  const isFilled = (value: CellValue) => value !== null && value !== undefined && value !== '';
  const last = rows.findLastIndex((row) => row.some(isFilled));
  const widest = rows.reduce((most, row) => Math.max(most, row.findLastIndex(isFilled) + 1), 0);
  const columnCount = Math.min(widest, mostColumns);
  const rowCount = Math.min(last + 1, mostRows, Math.floor(cells / Math.max(1, columnCount)));
  const looks = new Looks(theme);
  const factsOf = (row: number, column: number) => sheet.cells?.get(`${row},${column}`) ?? {};
  const shown = rows
    .slice(0, rowCount)
    .map((values, row) =>
      Array.from({ length: sheet.cells ? columnCount : Math.min(values.length, columnCount) }, (_, column) =>
        presentCell(values[column], factsOf(row, column), looks),
      ),
    );
  return {
    name,
    rows: shown,
    columnCount,
    isCut: last + 1 > rowCount || widest > columnCount,
    looks: looks.all,
    merges: presentMerges(sheet, rowCount, columnCount),
    widths: presentWidths(sheet, columnCount),
    frozenRows: Math.min(freezePane?.rows ?? 0, mostFrozen, Math.max(0, rowCount - 1)),
    frozenColumns: Math.min(freezePane?.columns ?? 0, 3, Math.max(0, columnCount - 1)),
    chartCount: sheet.charts?.length ?? 0,
  };
}

/** The name of a column in spreadsheets: A to Z, then AA. */
export function nameColumn(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : nameColumn(Math.floor(index / 26) - 1) + letter;
}
