import { invalidField } from '@errand/base/fault.ts';
import { isJsonObject, type JsonObject } from '@errand/base/json-object.ts';
import { readCsvTable } from '../tables/csv-table.ts';
import { mostTableColumns, type TableFormat, type TableRows } from './table-file.ts';

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidField('file', `${where} is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  }
}

function listEntries(bytes: Uint8Array, path: string, format: 'json' | 'jsonl'): JsonObject[] {
  const text = new TextDecoder().decode(bytes);
  const name = JSON.stringify(path);
  const lines = format === 'jsonl' ? text.split(/\r?\n/) : [];
  const values =
    format === 'json'
      ? parse(text, name)
      : lines.flatMap((line, at) => (line.trim() === '' ? [] : [parse(line, `line ${at + 1} of ${name}`)]));
  if (!Array.isArray(values)) throw invalidField('file', `${name} must be a list of objects, one for each row.`);
  const wrong = values.findIndex((value) => !isJsonObject(value));
  if (wrong !== -1) throw invalidField('file', `row ${wrong + 1} of ${name} is not an object.`);
  return values as JsonObject[];
}

function checkSize(columns: number, rows: number, path: string, mostRows: number): void {
  const name = JSON.stringify(path);
  if (rows > mostRows) {
    throw invalidField('file', `${name} has ${rows} rows, and at most ${mostRows} can be mapped at a time. Split it.`);
  }
  if (columns > mostTableColumns) throw invalidField('file', `${name} has more than ${mostTableColumns} columns.`);
}

/** Columns in the order in which they first appear. Cells are read as own properties, because any text can be a name. */
function tabulate(entries: readonly JsonObject[], path: string, mostRows: number): TableRows {
  const names = new Set<string>();
  for (const entry of entries) {
    for (const name of Object.keys(entry)) names.add(name);
    checkSize(names.size, entries.length, path, mostRows);
  }
  const columns = [...names];
  const rows = entries.map((entry) => columns.map((column) => (Object.hasOwn(entry, column) ? entry[column] : null)));
  return { columns, rows };
}

function checkShape({ columns, rows }: TableRows, path: string, mostRows: number): void {
  const name = JSON.stringify(path);
  if (rows.length === 0) throw invalidField('file', `${name} has no rows.`);
  checkSize(columns.length, rows.length, path, mostRows);
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice !== undefined) {
    throw invalidField('file', `${name} has two columns named ${JSON.stringify(twice.slice(0, 100))}. Rename one.`);
  }
}

/** Throws a Fault that says what is wrong with the file. */
export function readTable(bytes: Uint8Array, path: string, format: TableFormat, mostRows: number): TableRows {
  const table = format === 'csv' ? readCsvTable(bytes, path) : tabulate(listEntries(bytes, path, format), path, mostRows);
  checkShape(table, path, mostRows);
  return { columns: table.columns, rows: table.rows };
}
