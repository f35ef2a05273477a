import type { SheetLook } from './sheet-look.ts';
import type { ColumnSpec, SheetChartSpec, SheetSpec } from './workbook-spec.ts';

export type CellValue = string | number | boolean | Date | null;

/** A cell as written to a file. */
export interface SheetCell {
  value: CellValue;
  /** Formula without its `=`; `value` is then its result, or null if only a spreadsheet program can compute it. */
  formula?: string;
  isComputed?: boolean;
}

export interface SheetColumn {
  header: string;
  /** A number format; empty for none. */
  format: string;
  /** Width in characters; 0 until it is fitted to the computed cells. */
  width: number;
  isRight: boolean;
  /** What shows its numbers and limits what is entered. */
  rules: Pick<ColumnSpec, 'show' | 'marks' | 'choices' | 'min' | 'max' | 'type'>;
}

/** A table of a sheet, with its place. */
export interface SheetTable {
  /** Row and column of the first header cell, counted from 0. */
  row: number;
  column: number;
  /** Title above the headers; empty for none. */
  heading: string;
  columns: SheetColumn[];
  /** Rows below the headers; the last one may be the totals. */
  rows: SheetCell[][];
  hasTotals: boolean;
  /** Rows that look like totals, from 0. */
  strong: ReadonlySet<number>;
}

/** A complete sheet: checked, typed, computed. */
export interface SheetModel {
  name: string;
  title: string;
  subtitle: string;
  /** The first one is that of the sheet itself. */
  tables: [SheetTable, ...SheetTable[]];
  isFrozen: boolean;
  frozenColumns: number;
  hasFilter: boolean;
  charts: SheetChartSpec[];
  print: SheetSpec['print'];
}

export interface WorkbookName {
  name: string;
  /** Range with its sheet and `$`. */
  range: string;
}

export interface WorkbookModel {
  title: string;
  author: string;
  madeAt: Date;
  look: SheetLook;
  sheets: SheetModel[];
  names: WorkbookName[];
}

/** `0` is A, `26` is AA. */
export function nameColumn(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : nameColumn(Math.floor(column / 26) - 1) + letter;
}

/** A cell from its name, such as `B12`, from 0. */
export function readPlace(place: string): { row: number; column: number } {
  const [, letters = 'A', digits = '1'] = /^([A-Za-z]+)(\d+)$/.exec(place) ?? [];
  const column = Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { row: Number(digits) - 1, column };
}

/** The last row of a table, with its totals; from 0. */
export function lastRowOf({ row, rows }: SheetTable): number {
  return row + rows.length;
}

/** The rows of a table without its totals. */
export function bodyOf({ rows, hasTotals }: SheetTable): SheetTable['rows'] {
  return hasTotals ? rows.slice(0, -1) : rows;
}

/** The cells of a column of a table without headers and totals, such as `B2:B13`; with `$` if they shall stay where they are. */
export function nameCells(
  { row, column, rows, hasTotals }: Pick<SheetTable, 'row' | 'column' | 'rows' | 'hasTotals'>,
  at: number,
  isFixed = false,
): string {
  const [letter, mark] = [nameColumn(column + at), isFixed ? '$' : ''];
  const last = row + Math.max(rows.length - (hasTotals ? 1 : 0), 1) + 1;
  return `${mark}${letter}${mark}${row + 2}:${mark}${letter}${mark}${last}`;
}

/** The name of a sheet in formulas. */
export function quoteSheet(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
