import { listReferences, translateFormula } from './formula-references.ts';
import { formulasOf } from './shared-formulas.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** The totals at the end of a sheet without tables. */
export interface SheetTotals {
  /** The row after the last one with data; empty ones may follow before the totals. */
  at: number;
  /** The first row that the totals read. */
  dataFrom: number;
}

/** Whether the last row sums up the rows above it: a formula in it reads a range of its own column, which the row above does not do. */
export function findTotals(workbook: Workbook, sheet: Sheet, last: number): SheetTotals | null {
  const grid = workbook.grid(sheet);
  const dataEnd = grid
    .rowNumbers()
    .findLast((row) => row < last && [...grid.row(row).values()].some((cell) => cell.elements.length > 0));
  if (dataEnd === undefined) return null;
  const formulasAbove = formulasOf(grid, dataEnd);
  const starts = [...formulasOf(grid, last)].flatMap(([column, text]) => {
    const above = formulasAbove.get(column);
    if (above !== undefined && translateFormula(above, { row: dataEnd, column }, { row: last, column }) === text) return [];
    return listReferences(text).references.flatMap(({ sheet: named, from, to }) => {
      const isOwn = named === null || named.toLowerCase() === sheet.name.toLowerCase();
      const isColumn = from.column === column && to?.column === column;
      if (!isOwn || !isColumn || from.row === null || to.row === null) return [];
      return from.row <= to.row && to.row >= dataEnd && to.row < last ? [from.row] : [];
    });
  });
  if (starts.length === 0) return null;
  return { at: dataEnd + 1, dataFrom: Math.min(...starts) };
}
