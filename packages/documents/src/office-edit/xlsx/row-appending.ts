import { invalidField } from '@errand/base/fault.ts';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import { mostColumns, writeRange } from './cell-address.ts';
import { CellWriter } from './cell-changes.ts';
import type { GivenValue } from './cell-values.ts';
import { translateFormula } from './formula-references.ts';
import { insertRows } from './row-insertion.ts';
import { formulasOf } from './shared-formulas.ts';
import { findDataStart, findTotals } from './sheet-totals.ts';
import { findTable, growTable, listTables, type Table } from './tables.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** A row by position, or by the names of its columns. */
export type GivenRow = readonly GivenValue[] | Readonly<Record<string, GivenValue>>;

/** The values of a row by column. */
function placeValues(row: GivenRow, names: readonly string[], field: string): (GivenValue | undefined)[] {
  if (Array.isArray(row)) return row as GivenValue[];
  const values = names.map((): GivenValue | undefined => undefined);
  for (const [name, value] of Object.entries(row as Record<string, GivenValue>)) {
    const at = names.findIndex((each) => each.trim().toLowerCase() === name.trim().toLowerCase());
    if (at >= 0) values[at] = value;
    else {
      const nearest = findNearestName(name, names);
      const meant = nearest === null ? '' : ` Perhaps ${JSON.stringify(nearest)} is meant.`;
      throw invalidField(
        field,
        `there is no column ${JSON.stringify(name)}.${meant} There are ${names.slice(0, 40).join(', ')}.`,
      );
    }
  }
  return values;
}

/** Puts rows below the last one, in the format of that one. */
function writeRows(
  workbook: Workbook,
  sheet: Sheet,
  rows: readonly (GivenValue | undefined)[][],
  at: { row: number; column: number },
): void {
  const writer = new CellWriter(workbook, sheet);
  const grid = workbook.grid(sheet);
  for (const [y, values] of rows.entries()) {
    for (const [x, value] of values.entries()) {
      const address = { row: at.row + y, column: at.column + x };
      const above = grid.cell({ row: at.row - 1, column: address.column });
      if (value !== undefined) writer.set(address, value, `rows.${y}.${x}`, above?.attribute('s'));
    }
  }
}

/** What a table computes in a column of a new row; null if it computes nothing. `last`: the formulas of its last row with data. */
function continueColumn(
  { range, totalRows, columns }: Table,
  last: ReadonlyMap<number, string>,
  x: number,
  row: number,
): string | null {
  const formula = columns[x]?.formula;
  if (formula === null || formula === undefined) return null;
  const above = { row: range.to.row - totalRows, column: range.from.column + x };
  const isSame = translateFormula(formula, above, { ...above, row }) === formula;
  const source = isSame ? formula : (last.get(above.column) ?? formula);
  return `=${translateFormula(source, above, { ...above, row })}`;
}

function appendToTable(workbook: Workbook, name: string, given: readonly GivenRow[]): string {
  const table = findTable(workbook, name);
  const { range, columns, sheet, totalRows, headerRows } = table;
  const names = columns.map((column) => column.name);
  const first = { row: range.to.row - totalRows + 1, column: range.from.column };
  const formulas = formulasOf(workbook.grid(sheet), first.row - 1);
  const rows = given.map((row, y) => {
    const values = placeValues(row, names, `rows.${y}`);
    if (values.length > columns.length)
      throw invalidField(`rows.${y}`, `has ${values.length} values, and the table ${columns.length} columns.`);
    // Columns that the table computes are computed in new rows too.
    return columns.map(
      (_, x) => values[x] ?? (values[x] === null ? null : (continueColumn(table, formulas, x, first.row + y) ?? undefined)),
    );
  });
  const place = { at: first.row, last: range.to.row, count: rows.length, dataFrom: range.from.row + headerRows };
  const shift = { sheet, columns: { from: range.from.column, to: range.to.column }, ...place };
  const followed = insertRows(workbook, shift, `the table ${table.name}`);
  writeRows(workbook, sheet, rows, first);
  const grown = growTable(table, rows.length);
  return `appended ${rows.length} rows to the table ${table.name}, which is ${writeRange(grown)} now${followed}`;
}

/** The names in the first row, for rows by name. */
function readHeaders(workbook: Workbook, sheet: Sheet): string[] {
  const grid = workbook.grid(sheet);
  const [number = 0] = grid.rowNumbers();
  const cells = grid.row(number);
  const last = [...cells.keys()].reduce((most, column) => Math.max(most, column), 0);
  return Array.from({ length: last }, (_, at) => {
    const cell = cells.get(at + 1);
    return cell ? workbook.textOf(cell) : '';
  });
}

function appendToSheet(workbook: Workbook, name: string | undefined, given: readonly GivenRow[]): string {
  const sheet = workbook.sheet(name);
  const [holder] = listTables(workbook, sheet);
  if (holder) throw invalidField('table', `is missing; the sheet has the table ${JSON.stringify(holder.name)}.`);
  const names = given.every((row) => Array.isArray(row)) ? [] : readHeaders(workbook, sheet);
  const rows = given.map((row, y) => placeValues(row, names, `rows.${y}`));
  const grid = workbook.grid(sheet);
  const last = grid.lastUsedRow();
  const totals = findTotals(workbook, sheet, last);
  const dataEnd = totals ? totals.at - 1 : last;
  const place = { at: dataEnd + 1, last, count: rows.length, dataFrom: totals?.dataFrom ?? findDataStart(grid, last) };
  // A formula of the last row continues in the new ones where no value is given.
  const formulas = formulasOf(grid, dataEnd);
  const filled = rows.map((values, y) => {
    const width = Math.max(values.length, ...formulas.keys());
    return Array.from({ length: width }, (_, x) => {
      const formula = formulas.get(x + 1);
      if (values[x] !== undefined || formula === undefined) return values[x];
      return `=${translateFormula(formula, { row: dataEnd, column: x + 1 }, { row: dataEnd + 1 + y, column: x + 1 })}`;
    });
  });
  const columns = { from: 1, to: mostColumns };
  const followed = insertRows(workbook, { sheet, columns, ...place }, totals ? 'the rows above the totals' : 'the data');
  writeRows(workbook, sheet, filled, { row: dataEnd + 1, column: 1 });
  const above = totals ? `, above the totals in row ${totals.row + rows.length}` : '';
  return `appended ${rows.length} rows to ${JSON.stringify(sheet.name)}, from row ${dataEnd + 1}${above}${followed}`;
}

export interface AppendOptions {
  sheet?: string | undefined;
  table?: string | undefined;
  rows: readonly GivenRow[];
}

/** Appends rows to a table, which grows, or below the data of a sheet, above its totals. */
export function appendRows(workbook: Workbook, { sheet, table, rows }: AppendOptions): string {
  if (table !== undefined) return appendToTable(workbook, table, rows);
  return appendToSheet(workbook, sheet, rows);
}
