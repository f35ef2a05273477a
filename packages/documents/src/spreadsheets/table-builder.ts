import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import { textWidth } from '../fonts/text-width.ts';
import type { ReadFile } from '../generator-outcome.ts';
import { readCsvTable } from '../tables/csv-table.ts';
import { cellFormatOf, guessType, readCell, readFileCell } from './cell-parser.ts';
import { ProblemList } from '../problem-list.ts';
import type { KnownNames } from './formula-parser.ts';
import { nameCells, nameColumn, type SheetCell, type SheetColumn, type SheetTable } from './sheet-model.ts';
import type { ColumnSpec, ColumnType, TableSpec } from './workbook-spec.ts';

const mostCells = 2_000_000;
const unnamed = { type: 'auto' as const };

/** Columns and rows of a table before it has a look. */
export interface TableContent {
  columns: ColumnSpec[];
  rows: SheetCell[][];
}

/** What the tables of a workbook are built with. */
export interface TableContext {
  readFile: ReadFile;
  names: KnownNames;
  summarize(spec: NonNullable<TableSpec['summary']>, place: TablePlace): TableContent;
}

/** Columns that are there with what is said of them, then those that only have a formula. */
function dressColumns(
  found: readonly { header: string; type: ColumnType }[],
  spec: TableSpec,
  { field, what }: { field: string; what: string },
): ColumnSpec[] {
  const given = new Map((spec.columns ?? []).map((column) => [(column.from ?? column.header).toLowerCase(), column]));
  const columns = found.map(({ header, type }): ColumnSpec => {
    const own = given.get(header.toLowerCase());
    given.delete(header.toLowerCase());
    return { ...own, header: own?.header ?? header, type: own && own.type !== 'auto' ? own.type : type };
  });
  const further = [...given.values()].filter(({ formula, from }) => formula !== undefined && from === undefined);
  const unknown = [...given.values()].find((column) => !further.includes(column));
  if (unknown === undefined) return [...columns, ...further];
  const known = found.slice(0, 30).map(({ header }) => header);
  throw invalidField(
    `${field}.columns`,
    `${what} has no column ${JSON.stringify(unknown.from ?? unknown.header)}; it has ${known.join(', ')}.`,
  );
}

async function readFileContent(spec: TableSpec, file: string, field: string, readFile: ReadFile): Promise<TableContent> {
  const table = readCsvTable(await readFile(file), file);
  const found = table.columns.map((header, at) => ({
    header,
    type: guessType(
      table.rows.map((row) => row[at] ?? ''),
      table.decimal,
    ),
  }));
  const columns = dressColumns(found, spec, { field, what: `"${file}"` });
  const readType = (type: ColumnType): ColumnType => (type === 'auto' ? 'number' : type);
  const rows = table.rows.map((row) => columns.map(({ type }, at) => readFileCell(row[at] ?? '', readType(type), table.decimal)));
  return { columns, rows };
}

function readGivenContent({ columns = [], rows = [] }: TableSpec, field: string, names: KnownNames): TableContent {
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  if (count === 0) throw invalidField(field, 'has neither columns nor rows nor a file.');
  const renamed = columns.findIndex(({ from }) => from !== undefined);
  if (renamed >= 0)
    throw invalidField(`${field}.columns.${renamed}.from`, 'names a column of a file. Give file, or only header.');
  if (columns.length > 0 && count > columns.length) {
    throw invalidField(`${field}.rows`, `a row has ${count} cells, but there are ${columns.length} columns.`);
  }
  const all = Array.from({ length: count }, (_, at): ColumnSpec => columns[at] ?? { header: nameColumn(at), ...unnamed });
  const problems = new ProblemList();
  const read = rows.map((row, y) =>
    all.map(({ type }, x): SheetCell => {
      const cell = problems.tryNow(() => readCell(row[x] ?? null, type, `${field}.rows.${y}.${x}`, names));
      return cell ?? { value: null };
    }),
  );
  problems.throwAny();
  return { columns: all, rows: read };
}

/** Fills the formulas of columns into the cells that have no value of their own. */
async function fillFormulas({ columns, rows }: TableContent, top: number, field: string, names: KnownNames): Promise<void> {
  const fill = (x: number, formula: string): void => {
    for (const [y, row] of rows.entries()) {
      if (row[x] && (row[x].value !== null || row[x].formula !== undefined)) continue;
      const places = { row: top + y + 2, first: top + 2, last: top + rows.length + 1 };
      row[x] = readRowFormula(formula, places, `${field}.columns.${x}.formula`, names);
    }
  };
  const problems = new ProblemList();
  for (const [x, { formula }] of columns.entries()) {
    if (formula !== undefined) await problems.try(() => fill(x, formula));
  }
  problems.throwAny();
}

function readRowFormula(
  formula: string,
  places: { row: number; first: number; last: number },
  field: string,
  names: KnownNames,
): SheetCell {
  const { row, first, last } = places;
  const text = formula.replaceAll('{row}', String(row)).replaceAll('{first}', String(first)).replaceAll('{last}', String(last));
  return readCell(text, 'auto', field, names);
}

const totals = { sum: 'SUM', average: 'AVERAGE', count: 'COUNTA', min: 'MIN', max: 'MAX' } as const;

function writeTotals({ columns, rows }: TableContent, spec: TableSpec, place: TablePlace, names: KnownNames): SheetCell[] | null {
  if (rows.length === 0 || columns.every(({ total }) => total === undefined)) return null;
  const first = columns.findIndex(({ total }) => total === undefined);
  const table = { ...place, rows, hasTotals: false };
  return columns.map(({ total, formula }, at): SheetCell => {
    if (total === 'formula') {
      const field = `${place.field}.columns.${at}`;
      if (formula === undefined) throw invalidField(`${field}.total`, 'is formula, but the column has none.');
      const row = place.row + rows.length + 2;
      return readRowFormula(formula, { row, first: place.row + 2, last: row - 1 }, `${field}.formula`, names);
    }
    if (total) return { value: null, formula: `${totals[total]}(${nameCells(table, at)})` };
    return { value: at === first ? cleanLine(spec.total_label) : null };
  });
}

function isNumeric(type: ColumnType, cells: readonly SheetCell[]): boolean {
  if (type !== 'auto') return type !== 'text' && type !== 'boolean';
  const filled = cells.filter(({ value, formula }) => value !== null || formula !== undefined);
  return filled.length > 0 && filled.every(({ value, formula }) => typeof value === 'number' || formula !== undefined);
}

/** Assumed length of a result that only a spreadsheet program can compute. */
const unknownLength = 13;

/** How a number is written in a format; programs round what has none. */
function showNumber(value: number, format: string): string {
  const [, zeros = '', optional = ''] = /\.(0*)(#*)/.exec(format) ?? [];
  const most = format === '' ? 2 : zeros.length + optional.length;
  const digits = { minimumFractionDigits: Math.min(zeros.length, 10), maximumFractionDigits: Math.min(most, 10) };
  const words = format.replaceAll(/[#0,.]|;.*/g, '');
  return (format.includes('%') ? value * 100 : value).toLocaleString('en-US', digits) + words;
}

/** How many characters a cell shows in the format of its column. */
function showLength({ value, formula }: SheetCell, format: string): number {
  if (value === null) return formula === undefined ? 0 : unknownLength;
  if (value instanceof Date) return format.includes('hh') ? 17 : 11;
  if (typeof value === 'number') return showNumber(value, format).length;
  return String(value)
    .split('\n')
    .reduce((most, line) => Math.max(most, textWidth(line) * 1.9), 0);
}

function describeColumn(spec: ColumnSpec, cells: readonly SheetCell[], header: string): SheetColumn {
  const isRight = isNumeric(spec.type, cells);
  const isPlain =
    spec.type === 'auto' && isRight && cells.some(({ value }) => typeof value === 'number' && !Number.isInteger(value));
  const format = spec.format ?? (isPlain ? cellFormatOf('number') : cellFormatOf(spec.type));
  return { header, format, isRight, width: spec.width ?? 0, rules: spec };
}

/** Bars need room beside their numbers. */
const leastOfBars = 18;

/** Gives columns without a width one in which their computed cells can be read; programs show numbers that do not fit as ###. */
export function fitColumns({ columns, rows }: SheetTable): void {
  const shown = [...rows.slice(0, 1_000), ...rows.slice(1_000).slice(-1)];
  for (const [at, column] of columns.entries()) {
    if (column.width > 0) continue;
    const header = textWidth(column.header, true) * 1.9 + 3;
    const needed = shown.reduce((most, row) => Math.max(most, row[at] ? showLength(row[at], column.format) : 0), header);
    column.width = Math.min(Math.max(needed + 2, column.rules.show === 'bars' ? leastOfBars : 8), 60);
  }
}

/** Headers must be unique: filters, charts and people find columns by them. */
function nameHeaders(columns: readonly ColumnSpec[]): string[] {
  const used = new Map<string, number>();
  return columns.map(({ header }, at) => {
    const name = cleanLine(header) || nameColumn(at);
    const count = (used.get(name.toLowerCase()) ?? 0) + 1;
    used.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Where a table begins, and what its fields are called in errors. */
export interface TablePlace {
  row: number;
  column: number;
  heading: string;
  field: string;
}

function readContent(spec: TableSpec, place: TablePlace, context: TableContext): Promise<TableContent> | TableContent {
  const { file, rows, summary } = spec;
  const { field } = place;
  if (file !== undefined && rows !== undefined) throw invalidField(`${field}.file`, 'give either file or rows, not both.');
  if (summary !== undefined) {
    if (file !== undefined || rows !== undefined) throw invalidField(`${field}.summary`, 'give either summary, file, or rows.');
    const { columns, rows: keys } = context.summarize(summary, place);
    const dressed = dressColumns(columns, spec, { field, what: `the summary of ${JSON.stringify(summary.of)}` });
    return { columns: dressed.map((column, at) => ({ ...columns[at], ...column })), rows: keys };
  }
  return file === undefined ? readGivenContent(spec, field, context.names) : readFileContent(spec, file, field, context.readFile);
}

/** A table with typed cells; formulas are checked, not yet computed. */
export async function buildTable(spec: TableSpec, place: TablePlace, context: TableContext): Promise<SheetTable> {
  const { field, ...where } = place;
  const content = await readContent(spec, place, context);
  const { columns, rows } = content;
  if (columns.length * rows.length > mostCells) throw invalidField(field, `has more than ${mostCells} cells.`);
  await fillFormulas(content, place.row, field, context.names);
  const headers = nameHeaders(columns);
  const strong = new Set(spec.strong.map((at) => at - 1));
  const last = writeTotals(content, spec, place, context.names);
  const cellsOf = (at: number) => rows.flatMap((row) => row[at] ?? []);
  const described = columns.map((column, at) => describeColumn(column, cellsOf(at), headers[at] ?? ''));
  return { ...where, columns: described, rows: last ? [...rows, last] : rows, hasTotals: last !== null, strong };
}
