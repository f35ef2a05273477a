import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { invalidField } from '@errand/base/fault.ts';
import { type DecimalSign, readNumberText } from './number-text.ts';

/** A table of text as in its file; every row has one cell per column. */
export interface CsvTable {
  columns: string[];
  rows: string[][];
  decimal: DecimalSign;
}

export const mostCsvRows = 200_000;
const mostColumns = 1_000;
const [startLength, startRows] = [100_000, 40];
const delimiters = [',', ';', '\t', '|'] as const;

function decode(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw invalidField('file', `"${path}" is not a text file. Convert it to csv first.`);
  // Spreadsheet programs on older Windows write one byte per character.
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/** The delimiter that splits the first lines most evenly. */
function guessDelimiter(text: string): string {
  const lines = text.slice(0, 20_000).split('\n').slice(0, 20);
  const count = (sign: string) => lines.reduce((sum, line) => sum + line.split(sign).length - 1, 0);
  return delimiters.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function parseRows(text: string, delimiter: string, path: string): string[][] {
  try {
    const options = { delimiter, skip_empty_lines: true, trim: true, relax_column_count: true, relax_quotes: true };
    return parse(text, { ...options, max_record_size: 1_000_000, to: mostCsvRows + 2 });
  } catch (error) {
    if (error instanceof CsvError) throw invalidField('file', `"${path}" cannot be read as csv: ${error.message}`);
    throw error;
  }
}

function nameColumns(header: readonly string[]): string[] {
  return header.map((name, at) => (name === '' ? `Column ${at + 1}` : name));
}

function findDecimal(rows: readonly string[][], delimiter: string): DecimalSign {
  if (delimiter === ',') return '.';
  const sample = rows.slice(0, 200).flat();
  const commas = sample.filter((cell) => /^[+-]?[\d.]*\d,\d{1,2}\b/.test(cell)).length;
  return commas > sample.filter((cell) => /^[+-]?[\d,]*\d\.\d{1,2}$/.test(cell)).length ? ',' : '.';
}

/** The first rows of delimited text, unchanged, and its decimal separator. Throws a Fault for files that are not text. */
export function readCsvStart(bytes: Uint8Array, path: string): { rows: string[][]; decimal: DecimalSign } {
  const text = decode(bytes, path);
  const delimiter = guessDelimiter(text);
  const rows = parseRows(text.slice(0, startLength), delimiter, path).slice(0, startRows);
  return { rows, decimal: findDecimal(rows, delimiter) };
}

/** Reads delimited text with a header line. Throws a Fault that says what is wrong with the file. */
export function readCsvTable(bytes: Uint8Array, path: string): CsvTable {
  const text = decode(bytes, path);
  const delimiter = guessDelimiter(text);
  const [header, ...rows] = parseRows(text, delimiter, path);
  if (!header) throw invalidField('file', `"${path}" is empty.`);
  if (header.length > mostColumns) throw invalidField('file', `"${path}" has more than ${mostColumns} columns.`);
  if (rows.length > mostCsvRows) throw invalidField('file', `"${path}" has more than ${mostCsvRows} rows.`);
  const columns = nameColumns(header);
  const filled = rows.map((row) => Array.from(columns, (_, at) => row[at] ?? ''));
  return { columns, rows: filled, decimal: findDecimal(filled, delimiter) };
}

/** The index of a column by name, case-insensitive. Throws a Fault that lists the existing columns. */
export function findColumn({ columns }: CsvTable, name: string, field: string): number {
  const exact = columns.indexOf(name);
  const at = exact === -1 ? columns.findIndex((column) => column.toLowerCase() === name.toLowerCase().trim()) : exact;
  if (at !== -1) return at;
  const known = columns.slice(0, 30).map((column) => JSON.stringify(column));
  throw invalidField(field, `there is no column ${JSON.stringify(name)}. The columns are ${known.join(', ')}.`);
}

/** The numbers of a column; null for other cells. */
export function readNumbers(table: CsvTable, column: number): (number | null)[] {
  return table.rows.map((row) => readNumberText(row[column] ?? '', table.decimal));
}
