import { invalidField } from '@errand/base/fault.ts';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import { type CellRange, isOnSheet, parseRange, writeRange } from './cell-address.ts';
import { CellWriter } from './cell-changes.ts';
import type { GivenValue } from './cell-values.ts';
import { translateFormula } from './formula-references.ts';
import { extendReferences } from './range-extension.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** A row by position, or by the names of its columns. */
export type GivenRow = readonly GivenValue[] | Readonly<Record<string, GivenValue>>;

interface Table {
  name: string;
  sheet: Sheet;
  root: MarkupElement;
  range: CellRange;
  /** The names of its columns. */
  columns: { name: string; formula: string | null }[];
  headerRows: number;
  totalRows: number;
}

function readTable(sheet: Sheet, root: MarkupElement): Table[] {
  const range = parseRange(root.attribute('ref') ?? '');
  const name = root.attribute('displayName') ?? root.attribute('name');
  if (!range || name === undefined) return [];
  const columns = (root.child(sheetSpace, 'tableColumns')?.elements ?? []).map((each) => ({
    name: each.attribute('name') ?? '',
    formula: each.child(sheetSpace, 'calculatedColumnFormula')?.text ?? null,
  }));
  const [headerRows, totalRows] = [Number(root.attribute('headerRowCount') ?? 1), Number(root.attribute('totalsRowCount') ?? 0)];
  return [{ name, sheet, root, range, columns, headerRows, totalRows }];
}

function listTables(workbook: Workbook): Table[] {
  return workbook.sheets().flatMap((sheet) =>
    workbook.parts
      .relations(sheet.part)
      .filter(({ type, target, isExternal }) => type === 'table' && !isExternal && workbook.parts.has(target))
      .flatMap(({ target }) => readTable(sheet, workbook.parts.root(target))),
  );
}

function findTable(workbook: Workbook, name: string): Table {
  const tables = listTables(workbook);
  const found = tables.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = tables.map((each) => JSON.stringify(each.name)).join(', ');
  throw invalidField(
    'table',
    `there is no table ${JSON.stringify(name)}. ${names === '' ? 'The workbook has none; give sheet instead.' : `There are ${names}.`}`,
  );
}

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

/** Whether a row has something in these columns. */
function isUsed(workbook: Workbook, sheet: Sheet, row: number, range: CellRange): boolean {
  return [...workbook.grid(sheet).row(row)].some(
    ([column, cell]) => column >= range.from.column && column <= range.to.column && cell.elements.length > 0,
  );
}

/** Moves the totals of a table down. */
function moveTotals(workbook: Workbook, { sheet, range, totalRows }: Table, count: number): void {
  const grid = workbook.grid(sheet);
  for (let row = range.to.row; row > range.to.row - totalRows; row--) {
    for (let { column } = range.from; column <= range.to.column; column++) {
      const cell = grid.cell({ row, column });
      if (!cell) continue;
      const moved = grid.ensureCell({ row: row + count, column });
      moved.setAttribute('s', cell.attribute('s') ?? null);
      moved.setAttribute('t', cell.attribute('t') ?? null);
      moved.replaceChildren(cell.children);
      // The row of the totals is one of values now.
      cell.setAttribute('s', grid.cell({ row: range.to.row - totalRows, column })?.attribute('s') ?? null);
      cell.setAttribute('t', null);
      cell.replaceChildren([]);
      if (moved.child(sheetSpace, 'f')) workbook.hasNewFormulas = true;
    }
  }
}

function checkSpace(workbook: Workbook, { name, sheet, range }: Table, count: number): void {
  const last = range.to.row + count;
  if (!isOnSheet({ row: last, column: range.to.column })) throw invalidField('rows', 'the sheet has no more rows.');
  for (let row = range.to.row + 1; row <= last; row++) {
    if (isUsed(workbook, sheet, row, range))
      throw invalidField('rows', `row ${row}, below the table ${name}, is not empty. Move what is there, or append fewer rows.`);
  }
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

function appendToTable(workbook: Workbook, name: string, given: readonly GivenRow[]): string {
  const table = findTable(workbook, name);
  const { range, columns, root, sheet, totalRows } = table;
  const names = columns.map((column) => column.name);
  const first = { row: range.to.row - totalRows + 1, column: range.from.column };
  const rows = given.map((row, y) => {
    const values = placeValues(row, names, `rows.${y}`);
    if (values.length > columns.length)
      throw invalidField(`rows.${y}`, `has ${values.length} values, and the table ${columns.length} columns.`);
    // Columns that the table computes are computed in new rows too.
    return columns.map(({ formula }, x) => (values[x] === undefined && formula !== null ? `=${formula}` : values[x]));
  });
  checkSpace(workbook, table, rows.length);
  moveTotals(workbook, table, rows.length);
  writeRows(workbook, sheet, rows, first);
  const before = {
    from: { row: range.from.row + table.headerRows, column: range.from.column },
    to: { row: first.row - 1, column: range.to.column },
  };
  const to = { row: range.to.row + rows.length, column: range.to.column };
  root.setAttribute('ref', writeRange({ from: range.from, to }));
  const filter = root.child(sheetSpace, 'autoFilter');
  filter?.setAttribute('ref', writeRange({ from: range.from, to: { row: to.row - totalRows, column: to.column } }));
  const extended = extendReferences(workbook, sheet, before, rows.length);
  return `appended ${rows.length} rows to the table ${table.name}, which is ${writeRange({ from: range.from, to })} now${extended}`;
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
  const holder = listTables(workbook).find((each) => each.sheet.part === sheet.part);
  if (holder) throw invalidField('table', `is missing; the sheet has the table ${JSON.stringify(holder.name)}.`);
  const names = given.every((row) => Array.isArray(row)) ? [] : readHeaders(workbook, sheet);
  const rows = given.map((row, y) => placeValues(row, names, `rows.${y}`));
  const grid = workbook.grid(sheet);
  const last = grid.lastUsedRow();
  // A formula of the last row continues in the new ones where no value is given.
  const formulas = new Map(
    [...grid.row(last)].flatMap(([column, cell]) => {
      const text = cell.child(sheetSpace, 'f')?.text;
      return text ? [[column, text] as const] : [];
    }),
  );
  const filled = rows.map((values, y) => {
    const width = Math.max(values.length, ...formulas.keys());
    return Array.from({ length: width }, (_, x) => {
      const formula = formulas.get(x + 1);
      if (values[x] !== undefined || formula === undefined) return values[x];
      return `=${translateFormula(formula, { row: last, column: x + 1 }, { row: last + 1 + y, column: x + 1 })}`;
    });
  });
  writeRows(workbook, sheet, filled, { row: last + 1, column: 1 });
  return `appended ${rows.length} rows to ${JSON.stringify(sheet.name)}, from row ${last + 1}`;
}

export interface AppendOptions {
  sheet?: string | undefined;
  table?: string | undefined;
  rows: readonly GivenRow[];
}

/** Appends rows to a table, which grows, or below the last row of a sheet. */
export function appendRows(workbook: Workbook, { sheet, table, rows }: AppendOptions): string {
  if (table !== undefined) return appendToTable(workbook, table, rows);
  return appendToSheet(workbook, sheet, rows);
}
