import { writeCsvText } from '../spreadsheets/csv-sheet.ts';
import type { TableFormat, TableRows } from './table-file.ts';

/** Numbers may begin like formulas. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?%?$/;

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return plainNumber.test(text) || typeof value === 'number' ? text : writeCsvText(text);
}

function writeCsv({ columns, rows }: TableRows): string {
  const lines = [columns, ...rows].map((cells: readonly unknown[]) => cells.map(writeCell).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

/** Written name by name, because any text can be the name of a column. Cells that a row does not have are left out. */
function writeObject(columns: readonly string[], cells: readonly unknown[]): string {
  const fields = columns.flatMap((column, at) => {
    const cell = cells[at];
    return cell === undefined ? [] : [`${JSON.stringify(column)}:${JSON.stringify(cell)}`];
  });
  return `{${fields.join(',')}}`;
}

export function writeTable(table: TableRows, format: TableFormat): Uint8Array {
  const objects = () => table.rows.map((cells) => writeObject(table.columns, cells));
  if (format === 'csv') return Buffer.from(writeCsv(table));
  return Buffer.from(format === 'json' ? `[\n${objects().join(',\n')}\n]\n` : `${objects().join('\n')}\n`);
}
