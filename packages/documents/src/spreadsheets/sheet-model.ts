import type { SheetChartSpec } from './workbook-spec.ts';

export type CellValue = string | number | boolean | Date | null;

/** A cell as it goes into a file. */
export interface SheetCell {
  value: CellValue;
  /** Without its `=`; `value` is then what it comes to, or null when only a spreadsheet program can tell. */
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

/** A sheet that is complete: checked, typed, computed. */
export interface SheetModel {
  name: string;
  columns: SheetColumn[];
  /** Below the headers; the last is that of the totals where there is one. */
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
  sheets: SheetModel[];
}

/** `0` is A, `26` is AA. */
export function nameColumn(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : nameColumn(Math.floor(column / 26) - 1) + letter;
}

/** The name of a sheet as formulas write it. */
export function quoteSheet(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
