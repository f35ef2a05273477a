import { invalidField } from '@errand/base/fault.ts';
import { FormulaError } from './formula-values.ts';
import { bodyOf, nameColumn, type CellValue, type SheetCell, type SheetModel, type SheetTable } from './sheet-model.ts';
import { dateOfSerial } from './cell-parser.ts';
import type { SummarySpec } from './workbook-spec.ts';

export type Period = NonNullable<SummarySpec['period']>;

/** Computes a cell of a sheet that is built; undefined if only a spreadsheet program can. */
export type ComputeCell = (sheet: string, row: number, column: number, cell: SheetCell) => CellValue | FormulaError | undefined;

/** The table that a summary reads. */
export interface Source {
  sheet: SheetModel;
  table: SheetTable;
  /** What the summary is called in errors. */
  field: string;
  compute: ComputeCell;
}

/** A row or a column of a summary. */
export interface SummaryPart {
  label: CellValue;
  /** Present for a period: its first day, and that of the next. */
  days?: { from: Date; until: Date };
}

const monthsOf: Readonly<Record<Period, number>> = { month: 1, quarter: 3, year: 12 };

function isDated(table: SheetTable, at: number): boolean {
  const column = table.columns[at];
  return (
    column !== undefined && (column.rules.type === 'date' || column.rules.type === 'datetime' || column.format.includes('yy'))
  );
}

/** The values of a column without its total, with those of its formulas. */
export function readColumn({ sheet, table, field, compute }: Source, at: number): CellValue[] {
  const dated = isDated(table, at);
  return bodyOf(table).map((row, y) => {
    const cell = row[at] ?? { value: null };
    if (cell.formula === undefined) return cell.value;
    const place = { row: table.row + y + 1, column: table.column + at };
    const value = compute(sheet.name, place.row, place.column, cell);
    if (value === undefined || value instanceof FormulaError) {
      const name = `${sheet.name}!${nameColumn(place.column)}${place.row + 1}`;
      const why = value === undefined ? 'only a spreadsheet program can compute' : `is ${value.code}`;
      throw invalidField(
        `${field}.summary`,
        `reads the column ${JSON.stringify(table.columns[at]?.header ?? '')}, of which ${name} ${why}. Give its values in place of a formula; months, quarters, and years of a column of dates need none: period.`,
      );
    }
    return dated && typeof value === 'number' ? dateOfSerial(value) : value;
  });
}

/** Whether a column, as far as it is filled, holds dates. */
export function holdsDates(values: readonly CellValue[]): boolean {
  const filled = values.filter((value) => value !== null && value !== '');
  return filled.length > 0 && filled.every((value) => value instanceof Date);
}

/** The number of a period, counted from the year 0. */
function numberOf(date: Date, period: Period): number {
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / monthsOf[period]);
}

function firstDayOf(number: number, period: Period): Date {
  const months = number * monthsOf[period];
  return new Date(Date.UTC(Math.floor(months / 12), months % 12, 1));
}

function labelOf(from: Date, period: Period): string {
  const year = String(from.getUTCFullYear());
  if (period === 'year') return year;
  const month = from.getUTCMonth() + 1;
  return period === 'quarter' ? `${year} Q${Math.ceil(month / 3)}` : `${year}-${String(month).padStart(2, '0')}`;
}

/** What the values of one part have in common; null for an empty cell. */
export function idOf(value: CellValue, period: Period | null): string | null {
  if (value === null || value === '') return null;
  if (value instanceof Date) return period === null ? value.toISOString() : String(numberOf(value, period));
  return String(value).toLowerCase();
}

function listPeriods(values: readonly CellValue[], period: Period, most: number): [string, SummaryPart][] {
  const numbers = values.flatMap((value) => (value instanceof Date ? [numberOf(value, period)] : []));
  const first = numbers.reduce((least, number) => Math.min(least, number), Infinity);
  const last = numbers.reduce((latest, number) => Math.max(latest, number), -Infinity);
  const count = Math.min(last - first + 1, most + 1);
  return Array.from({ length: count }, (_, at) => {
    const from = firstDayOf(first + at, period);
    const days = { from, until: firstDayOf(first + at + 1, period) };
    return [String(first + at), { label: labelOf(from, period), days }];
  });
}

/** The parts of a column by their IDs: its different values in the order of their first row, or all periods from the first to the last. */
export function listParts(
  values: readonly CellValue[],
  period: Period | null,
  { field, most }: { field: string; most: number },
): Map<string, SummaryPart> {
  const parts = new Map<string, SummaryPart>(period === null ? [] : listPeriods(values, period, most));
  for (const value of period === null ? values : []) {
    const id = idOf(value, null);
    // The newest spelling of a text counts.
    if (id !== null) parts.set(id, { label: value });
  }
  if (parts.size > most)
    throw invalidField(`${field}.summary`, `would have more than ${most} parts. Sum up by another column, or by period.`);
  return parts;
}
