import { invalidField } from '@errand/base/fault.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import { type CellRange, parseRange, writeRange } from './cell-address.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

export interface Table {
  name: string;
  sheet: Sheet;
  root: MarkupElement;
  range: CellRange;
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

/** The tables of a sheet. */
export function listTables(workbook: Workbook, sheet: Sheet): Table[] {
  return workbook.parts
    .relations(sheet.part)
    .filter(({ type, target, isExternal }) => type === 'table' && !isExternal && workbook.parts.has(target))
    .flatMap(({ target }) => readTable(sheet, workbook.parts.root(target)));
}

/** The table of this name, in whatever case; throws a Fault that names those there are. */
export function findTable(workbook: Workbook, name: string): Table {
  const tables = workbook.sheets().flatMap((sheet) => listTables(workbook, sheet));
  const found = tables.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = tables.map((each) => JSON.stringify(each.name)).join(', ');
  throw invalidField(
    'table',
    `there is no table ${JSON.stringify(name)}. ${names === '' ? 'The workbook has none; give sheet instead.' : `There are ${names}.`}`,
  );
}

/** Lets a table end some rows further down, with its filter. */
export function growTable({ root, range, totalRows }: Table, rows: number): CellRange {
  const grown = { from: range.from, to: { row: range.to.row + rows, column: range.to.column } };
  root.setAttribute('ref', writeRange(grown));
  const filter = root.child(sheetSpace, 'autoFilter');
  filter?.setAttribute('ref', writeRange({ from: range.from, to: { row: grown.to.row - totalRows, column: grown.to.column } }));
  return grown;
}
