import type { MarkupElement } from '../markup/markup-tree.ts';
import { listReferences, translateFormula } from './formula-references.ts';
import { formulasOf } from './shared-formulas.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** The totals at the end of a sheet without tables. */
export interface SheetTotals {
  /** The first row of totals; others, such as taxes and notes, may follow. */
  row: number;
  /** The row after the last one with data; empty ones may follow before the totals. */
  at: number;
  /** The first row that the totals read. */
  dataFrom: number;
}

/** How many rows at the end of a sheet may be totals and what belongs to them. */
const mostTotals = 25;

/** The last rows with content. Rows are parsed when they are read, and a sheet can have a million. */
function listLastRows(grid: SheetGrid, last: number, most: number): number[] {
  const found: number[] = [];
  for (const row of grid.rowNumbers().reverse()) {
    if (found.length === most) break;
    if (row <= last && [...grid.row(row).values()].some((cell) => cell.elements.length > 0)) found.unshift(row);
  }
  return found;
}

/** Whether a cell holds a formula, or a value that is no text. */
function isNumeric(cell: MarkupElement | undefined): boolean {
  if (!cell) return false;
  if (cell.child(sheetSpace, 'f')) return true;
  return cell.child(sheetSpace, 'v') !== undefined && !/^(s|str|inlineStr)$/.test(cell.attribute('t') ?? '');
}

/** The columns that a row sums up, with where their data begins: by formulas that read a range of their own column, which the row above does not do. */
function findSums({ name }: Sheet, grid: SheetGrid, row: number, dataEnd: number): [column: number, from: number][] {
  const formulasAbove = formulasOf(grid, dataEnd);
  return [...formulasOf(grid, row)].flatMap(([column, text]) => {
    const above = formulasAbove.get(column);
    if (above !== undefined && translateFormula(above, { row: dataEnd, column }, { row, column }) === text) return [];
    return listReferences(text).references.flatMap(({ sheet: named, from, to }): [number, number][] => {
      const isOwn = named === null || named.toLowerCase() === name.toLowerCase();
      const isColumn = from.column === column && to?.column === column;
      if (!isOwn || !isColumn || from.row === null || to.row === null) return [];
      return from.row <= to.row && to.row >= dataEnd && to.row < row ? [[column, from.row]] : [];
    });
  });
}

/** Whether rows hold nothing that could be data in the columns of totals: what follows totals is computed or said. */
function isAfterTotals(grid: SheetGrid, rows: readonly number[], columns: readonly number[]): boolean {
  return rows.every((row) =>
    columns.every((column) => {
      const cell = grid.row(row).get(column);
      return !isNumeric(cell) || cell?.child(sheetSpace, 'f') !== undefined;
    }),
  );
}

/** The totals at the end of a sheet: the first of its last rows that sums up the rows above it, if only what is computed or said follows. */
export function findTotals(workbook: Workbook, sheet: Sheet, last: number): SheetTotals | null {
  const grid = workbook.grid(sheet);
  const rows = listLastRows(grid, last, mostTotals + 1);
  for (let at = 1; at < rows.length; at++) {
    const [row = 0, dataEnd = 0] = [rows[at], rows[at - 1]];
    const sums = findSums(sheet, grid, row, dataEnd);
    const columns = sums.map(([column]) => column);
    if (sums.length === 0 || !isAfterTotals(grid, rows.slice(at + 1), columns)) continue;
    return { row, at: dataEnd + 1, dataFrom: Math.min(...sums.map(([, from]) => from)) };
  }
  return null;
}

/** Where the header of data is looked for: in the rows above its end, and in the first of the sheet. Others need not be parsed. */
const [mostNear, mostHead] = [1_000, 50];

/** The first row of the data that ends with `last`: below its header, and below titles and totals above that. */
export function findDataStart(grid: SheetGrid, last: number): number {
  const columns = [...grid.row(last)].flatMap(([column, cell]) => (isNumeric(cell) ? [column] : []));
  const [top = 1] = grid.rowNumbers();
  if (columns.length === 0) return top + 1;
  for (let row = last - 1; row > 0; row--) {
    if (row === last - mostNear) row = Math.min(row, mostHead);
    if (!columns.some((column) => isNumeric(grid.row(row).get(column)))) return row + 1;
  }
  return 1;
}
