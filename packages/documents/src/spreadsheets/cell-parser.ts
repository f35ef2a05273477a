import { invalidField } from '@errand/base/fault.ts';
import { cleanText } from '../clean-text.ts';
import { type DecimalSign, readNumberText } from '../tables/number-text.ts';
import { type KnownNames, parseFormula } from './formula-parser.ts';
import type { CellValue, SheetCell } from './sheet-model.ts';
import type { ColumnType } from './workbook-spec.ts';

const formats: Record<ColumnType, string> = {
  ...{ auto: '', text: '@', number: '#,##0.##', integer: '#,##0', currency: '#,##0.00', percent: '0.0%' },
  ...{ date: 'yyyy-mm-dd', datetime: 'yyyy-mm-dd hh:mm', boolean: '' },
};

export function cellFormatOf(type: ColumnType): string {
  return formats[type];
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?Z?)?$/;

/** An ISO 8601 date without a time zone; null for anything else. */
export function readDate(text: string): Date | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = isoDate.exec(text.trim()) ?? [];
  if (year === undefined) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)));
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(year) >= 1900;
  return isReal ? date : null;
}

/** The serial number of a date. */
export function serialOf(date: Date): number {
  return date.getTime() / 86_400_000 + 25_569;
}

/** The date of a serial number of spreadsheet programs. */
export function dateOfSerial(serial: number): Date {
  return new Date(Math.round((serial - 25_569) * 86_400_000));
}

/** Formulas that start programs or read other files in old spreadsheet programs; legitimate ones lack these characters. */
const outward = /[[\]|{}]/;

function checkFormula(text: string, field: string, names?: KnownNames): void {
  if (outward.test(text.replaceAll(/"(?:[^"]|"")*"/g, '')))
    throw invalidField(
      field,
      `${JSON.stringify(text.slice(0, 80))} names another file, a program or an array, which is not allowed.`,
    );
  try {
    parseFormula(text, names);
  } catch (error) {
    throw invalidField(field, error instanceof Error ? error.message : 'cannot be read');
  }
}

function readTyped(text: string, type: ColumnType, decimal: DecimalSign): CellValue | undefined {
  switch (type) {
    case 'date':
    case 'datetime':
      return readDate(text) ?? undefined;
    case 'boolean':
      return /^(true|yes)$/i.test(text) ? true : /^(false|no)$/i.test(text) ? false : undefined;
    case 'number':
    case 'integer':
    case 'currency':
    case 'percent':
      return readNumberText(text, decimal) ?? undefined;
    case 'auto':
    case 'text':
      return text;
  }
}

/** Parses a cell written by a model. Throws a Fault that names the cell if it does not match the type of its column. */
export function readCell(
  given: string | number | boolean | null,
  type: ColumnType,
  field: string,
  names?: KnownNames,
): SheetCell {
  if (given === null || given === '') return { value: null };
  if (typeof given !== 'string') return { value: type === 'text' ? String(given) : given };
  const text = cleanText(given);
  if (type !== 'text' && text.startsWith('=') && text.length > 1) {
    checkFormula(text, field, names);
    return { value: null, formula: text.slice(1) };
  }
  const value = readTyped(text, type, '.');
  if (value !== undefined) return { value };
  const example =
    type === 'date' ? '"2026-03-31"' : type === 'datetime' ? '"2026-03-31 14:05"' : type === 'boolean' ? 'true' : '1234.5';
  throw invalidField(
    field,
    `${JSON.stringify(text.slice(0, 60))} is not of the column's type ${type}. Write it as ${example}, or give the column another type.`,
  );
}

/** Parses a CSV cell: text stays text, even if it looks like a formula; cells of another type are unchanged. */
export function readFileCell(given: string, type: ColumnType, decimal: DecimalSign): SheetCell {
  const text = cleanText(given);
  if (text === '') return { value: null };
  return { value: readTyped(text, type, decimal) ?? text };
}

/** The type of a CSV column, by the format of all its cells. */
export function guessType(cells: readonly string[], decimal: DecimalSign): ColumnType {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length === 0) return 'text';
  if (filled.every((cell) => readDate(cell) !== null))
    return filled.some((cell) => cell.trim().length > 10) ? 'datetime' : 'date';
  const numbers = filled.map((cell) => readNumberText(cell, decimal));
  if (!numbers.every((number) => number !== null)) return 'text';
  if (filled.every((cell) => cell.trim().endsWith('%'))) return 'percent';
  // Years have no thousands separator.
  const areYears = numbers.every((number) => Number.isInteger(number) && number >= 1800 && number <= 2200);
  if (areYears) return 'auto';
  return numbers.every((number) => Number.isInteger(number)) ? 'integer' : 'number';
}
