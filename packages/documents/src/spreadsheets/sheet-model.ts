import type { SheetLook } from './sheet-look.ts';
import type { SheetChartSpec } from './workbook-spec.ts';

export type CellValue = string | number | boolean | Date | null;

/** A cell as written to a file. */
export interface SheetCell {
  value: CellValue;
  /** Without its `=`; `value` is then its result, or null if only a spreadsheet program can compute it. */
  formula?: string;
  isComputed?: boolean;
}

export interface SheetColumn {
  header: string;
  /** A number format; empty for none. */
  format: string;
  /** In characters. */
  width: number;
  isRight: boolean;
}

/** A complete sheet: checked, typed, computed. */
export interface SheetModel {
  name: string;
  columns: SheetColumn[];
  /** Below the headers; the last one may be the totals. */
  rows: SheetCell[][];
  hasTotals: boolean;
  isFrozen: boolean;
  hasFilter: boolean;
  charts: SheetChartSpec[];
}

export interface WorkbookModel {
  title: string;
  author: string;
  madeAt: Date;
  look: SheetLook;
  sheets: SheetModel[];
}

/** `0` is A, `26` is AA. */
export function nameColumn(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : nameColumn(Math.floor(column / 26) - 1) + letter;
}

/** The name of a sheet in formulas. */
export function quoteSheet(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
