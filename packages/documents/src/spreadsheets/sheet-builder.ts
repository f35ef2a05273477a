import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import { textWidth } from '../fonts/text-width.ts';
import type { ReadFile } from '../generator-outcome.ts';
import { readCsvTable } from '../tables/csv-table.ts';
import { cellFormatOf, guessType, readCell, readFileCell } from './cell-parser.ts';
import { nameColumn, type SheetCell, type SheetColumn, type SheetModel } from './sheet-model.ts';
import type { ColumnSpec, ColumnType, SheetSpec } from './workbook-spec.ts';

const mostCells = 2_000_000;
const unnamed = { type: 'auto' as const };

interface Content {
  columns: ColumnSpec[];
  rows: SheetCell[][];
}

async function readFileContent(spec: SheetSpec, file: string, field: string, readFile: ReadFile): Promise<Content> {
  const table = readCsvTable(await readFile(file), file);
  const given = new Map((spec.columns ?? []).map((column) => [(column.from ?? column.header).toLowerCase(), column]));
  const columns = table.columns.map((name, at): ColumnSpec => {
    const own = given.get(name.toLowerCase());
    given.delete(name.toLowerCase());
    const type = own?.type ?? 'auto';
    const guessed =
      type === 'auto'
        ? guessType(
            table.rows.map((row) => row[at] ?? ''),
            table.decimal,
          )
        : type;
    return { ...own, header: own?.header ?? name, type: guessed };
  });
  const [unknown] = given.keys();
  if (unknown !== undefined)
    throw invalidField(
      `${field}.columns`,
      `"${file}" has no column ${JSON.stringify(unknown)}; it has ${table.columns.slice(0, 30).join(', ')}.`,
    );
  const readType = (type: ColumnType): ColumnType => (type === 'auto' ? 'number' : type);
  const rows = table.rows.map((row) => columns.map(({ type }, at) => readFileCell(row[at] ?? '', readType(type), table.decimal)));
  return { columns, rows };
}

function readGivenContent({ columns = [], rows = [] }: SheetSpec, field: string): Content {
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  if (count === 0) throw invalidField(field, 'has neither columns nor rows nor a file.');
  const renamed = columns.findIndex(({ from }) => from !== undefined);
  if (renamed >= 0)
    throw invalidField(`${field}.columns.${renamed}.from`, 'names a column of a file. Give file, or only header.');
  if (columns.length > 0 && count > columns.length) {
    throw invalidField(`${field}.rows`, `a row has ${count} cells, but there are ${columns.length} columns.`);
  }
  const all = Array.from({ length: count }, (_, at): ColumnSpec => columns[at] ?? { header: nameColumn(at), ...unnamed });
  const read = rows.map((row, y) => all.map(({ type }, x) => readCell(row[x] ?? null, type, `${field}.rows.${y}.${x}`)));
  return { columns: all, rows: read };
}

const totals = { sum: 'SUM', average: 'AVERAGE', count: 'COUNTA', min: 'MIN', max: 'MAX' } as const;

function writeTotals(columns: readonly ColumnSpec[], rowCount: number): SheetCell[] | null {
  if (rowCount === 0 || columns.every(({ total }) => total === undefined)) return null;
  const first = columns.findIndex(({ total }) => total === undefined);
  return columns.map(({ total }, at): SheetCell => {
    const range = `${nameColumn(at)}2:${nameColumn(at)}${rowCount + 1}`;
    if (total) return { value: null, formula: `${totals[total]}(${range})` };
    return { value: at === first ? 'Total' : null };
  });
}

function isNumeric(type: ColumnType, cells: readonly SheetCell[]): boolean {
  if (type !== 'auto') return type !== 'text' && type !== 'boolean';
  const filled = cells.filter(({ value, formula }) => value !== null || formula !== undefined);
  return filled.length > 0 && filled.every(({ value, formula }) => typeof value === 'number' || formula !== undefined);
}

function showLength({ value }: SheetCell): number {
  if (value === null) return 0;
  if (value instanceof Date) return 11;
  if (typeof value === 'number') return value.toLocaleString('en-US', { maximumFractionDigits: 2 }).length;
  return String(value)
    .split('\n')
    .reduce((most, line) => Math.max(most, textWidth(line) * 1.9), 0);
}

function describeColumn(spec: ColumnSpec, cells: readonly SheetCell[], header: string): SheetColumn {
  const needed = cells
    .slice(0, 1_000)
    .reduce((most, cell) => Math.max(most, showLength(cell)), textWidth(header, true) * 1.9 + 3);
  const isRight = isNumeric(spec.type, cells);
  const isPlain =
    spec.type === 'auto' && isRight && cells.some(({ value }) => typeof value === 'number' && !Number.isInteger(value));
  const format = spec.format ?? (isPlain ? cellFormatOf('number') : cellFormatOf(spec.type));
  return { header, format, isRight, width: spec.width ?? Math.min(Math.max(needed + 2, 8), 60) };
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

function checkName(name: string, field: string): string {
  const clean = cleanLine(name);
  const isWrong =
    clean === '' || clean.length > 31 || /[\\/?*[\]:]/.test(clean) || /^'|'$/.test(clean) || /^history$/i.test(clean);
  if (isWrong)
    throw invalidField(
      `${field}.name`,
      `${JSON.stringify(clean)} cannot name a sheet: 1 to 31 characters without \\ / ? * [ ] : and no quote at an end.`,
    );
  return clean;
}

/** A sheet with typed cells; formulas are checked, not yet computed. */
export async function buildSheet(spec: SheetSpec, index: number, readFile: ReadFile): Promise<SheetModel> {
  const field = `sheets.${index}`;
  if (spec.file !== undefined && spec.rows !== undefined)
    throw invalidField(`${field}.file`, 'give either file or rows, not both.');
  const content =
    spec.file === undefined ? readGivenContent(spec, field) : await readFileContent(spec, spec.file, field, readFile);
  const { columns, rows } = content;
  if (columns.length * rows.length > mostCells) throw invalidField(field, `has more than ${mostCells} cells.`);
  const headers = nameHeaders(columns);
  const last = writeTotals(columns, rows.length);
  const described = columns.map((column, at) =>
    describeColumn(
      column,
      rows.flatMap((row) => row[at] ?? []),
      headers[at] ?? '',
    ),
  );
  return {
    name: checkName(spec.name, field),
    columns: described,
    rows: last ? [...rows, last] : rows,
    hasTotals: last !== null,
    isFrozen: spec.freeze,
    hasFilter: spec.filter && rows.length > 0,
    charts: spec.charts ?? [],
  };
}
