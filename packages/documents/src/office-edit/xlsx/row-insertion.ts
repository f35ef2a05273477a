import { invalidField } from '@errand/base/fault.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import { type CellRange, isOnSheet, parseRange, writeRange } from './cell-address.ts';
import { FormulaShifting } from './formula-shifting.ts';
import { shiftPlaces } from './place-shifting.ts';
import { type RowShift, shiftRange } from './row-shift.ts';
import { listBlocks } from './shared-formulas.ts';
import { sheetSpace } from './sheet-space.ts';
import { listTables } from './tables.ts';
import type { Workbook } from './workbook.ts';

/** What of a cell belongs to its value and its look. */
const carried = ['s', 't', 'cm', 'vm', 'ph'];

function isCut(shift: RowShift, { from, to }: CellRange): boolean {
  const { at, last, count, columns } = shift;
  const meets = (top: number, bottom: number) =>
    from.row <= bottom && to.row >= top && from.column <= columns.to && to.column >= columns.from;
  if (!meets(at, last + count)) return false;
  const isWhole = from.row >= at && to.row <= last && from.column >= columns.from && to.column <= columns.to;
  return !isWhole;
}

/** Throws a Fault if the rows have no place, or would cut what belongs together. */
function checkSpace(workbook: Workbook, shift: RowShift, below: string): void {
  const { sheet, at, last, count, columns } = shift;
  const end = last + count;
  if (!isOnSheet({ row: end, column: 1 })) throw invalidField('rows', 'the sheet has no more rows.');
  const grid = workbook.grid(sheet);
  const used = grid
    .rowNumbers()
    .filter((row) => row > last && row <= end)
    .find((row) =>
      [...grid.row(row)].some(([column, cell]) => column >= columns.from && column <= columns.to && cell.elements.length > 0),
    );
  if (used !== undefined)
    throw invalidField('rows', `row ${used}, below ${below}, is not empty. Move what is there, or append fewer rows.`);
  const others = listTables(workbook, sheet).map(({ range }) => range);
  const joined = [...grid.merges(), ...listBlocks(grid), ...others.filter(({ from }) => from.row >= at)];
  const cut = joined.find((range) => isCut(shift, range));
  if (cut)
    throw invalidField(
      'rows',
      `${writeRange(cut)} belongs together, and the new rows would cut it. Separate its cells, or append elsewhere.`,
    );
}

/** The cells that one formula fills say their range, also if it is one cell. */
function moveBlock(cell: MarkupElement, shift: RowShift): void {
  const formula = cell.child(sheetSpace, 'f');
  const range = parseRange(formula?.attribute('ref') ?? '');
  const [moved] = range ? shiftRange(shift, range) : [];
  if (moved) formula?.setAttribute('ref', writeRange(moved));
}

function moveCells(workbook: Workbook, shift: RowShift): void {
  const { sheet, at, last, count, columns } = shift;
  const grid = workbook.grid(sheet);
  for (const row of grid
    .rowNumbers()
    .filter((each) => each >= at && each <= last)
    .reverse()) {
    for (const [column, cell] of [...grid.row(row)]) {
      if (column < columns.from || column > columns.to) continue;
      if (cell.attribute('s') === undefined && cell.elements.length === 0) continue;
      const moved = grid.ensureCell({ row: row + count, column });
      moveBlock(cell, shift);
      if (cell.child(sheetSpace, 'f')) workbook.hasNewFormulas = true;
      for (const name of carried) moved.setAttribute(name, cell.attribute(name) ?? null);
      moved.replaceChildren(cell.children);
      for (const name of carried) cell.setAttribute(name, null);
      // The first of the rows that moved become rows of data.
      const look = row < at + count ? grid.cell({ row: at - 1, column })?.attribute('s') : undefined;
      cell.setAttribute('s', look ?? null);
      cell.replaceChildren([]);
      for (const place of [row, row + count]) workbook.noteChange(sheet, { row: place, column });
    }
  }
}

/**
 * Makes place for new rows. Everything that names cells that move, or all of the data, follows as in a spreadsheet program: formulas,
 * names, charts, formats, checks, links, comments, print areas, pivot tables. Throws a Fault for what cannot follow; nothing has changed
 * then that is saved. Returns what was changed, for the report.
 *
 * @param below what the rows are below, for errors
 */
export function insertRows(workbook: Workbook, shift: RowShift, below: string): string {
  checkSpace(workbook, shift, below);
  const formulas = new FormulaShifting(workbook, shift);
  const count = formulas.run();
  shiftPlaces(workbook, shift, formulas);
  moveCells(workbook, shift);
  if (count > 0) workbook.hasNewFormulas = true;
  return count === 0
    ? ''
    : `; ${count} formulas and charts that read ${below} read the new rows, or its totals, where they are now`;
}
