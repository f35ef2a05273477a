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

const mostCsvRows = 200_000;
const mostColumns = 1_000;
const [startLength, startRows] = [100_000, 40];
const delimiters = [',', ';', '\t', '|'] as const;

function decode(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw invalidField('file', `"${path}" is not a text file. Convert it to csv first.`);
  // Spreadsheet programs on older Windows write one byte per character.
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/** The delimiter that occurs in as many of the first lines as often as in the header: others stand within cells. */
function guessDelimiter(text: string): string {
  const [header = '', ...lines] = text.slice(0, 20_000).split('\n').slice(0, 20);
  const count = (line: string, sign: string) => line.split(sign).length - 1;
  const rate = (sign: string) => {
    const inHeader = count(header, sign);
    const alike = lines.filter((line) => count(line, sign) === inHeader).length;
    return inHeader === 0 ? 0 : 1 + alike * 1000 + inHeader;
  };
  return delimiters.reduce((best, sign) => (rate(sign) > rate(best) ? sign : best));
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

/** Reads delimited text with a header line; cells beyond it are in columns without a name of their own. Throws a Fault that says what is wrong with the file. */
export function readCsvTable(bytes: Uint8Array, path: string): CsvTable {
  const text = decode(bytes, path);
  const delimiter = guessDelimiter(text);
  const [header, ...rows] = parseRows(text, delimiter, path);
  if (!header) throw invalidField('file', `"${path}" is empty.`);
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex((cell) => cell !== '') + 1), header.length);
  if (width > mostColumns) throw invalidField('file', `"${path}" has more than ${mostColumns} columns.`);
  if (rows.length > mostCsvRows) throw invalidField('file', `"${path}" has more than ${mostCsvRows} rows.`);
  const columns = nameColumns(Array.from({ length: width }, (_, at) => header[at] ?? ''));
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
