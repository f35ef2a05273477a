import type { SheetCell, SheetTable } from './sheet-model.ts';

/** Spreadsheet programs treat text that starts like this in a CSV file as a formula. */
const formulaStart = /^[=+\-@\t\r]/;

/** A text as a cell of a CSV file, which no program takes for a formula. */
export function writeCsvText(text: string): string {
  // A leading quote keeps it text; the programs that would run it do not show the quote.
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\n\r;\t']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function writeCell({ value }: SheetCell, format: string): string {
  if (value === null) return '';
  if (value instanceof Date)
    return /h/i.test(format) ? value.toISOString().slice(0, 19).replace('T', ' ') : value.toISOString().slice(0, 10);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(value) : writeCsvText(value);
}

/** A table as CSV (RFC 4180, UTF-8 with a byte order mark for spreadsheet programs): values only, and results of formulas. */
export function writeCsvSheet({ columns, rows }: SheetTable): Uint8Array {
  const head = columns.map(({ header }) => writeCsvText(header)).join(',');
  const lines = rows.map((row) => row.map((cell, at) => writeCell(cell, columns[at]?.format ?? '')).join(','));
  return Buffer.from(`\ufeff${[head, ...lines].join('\r\n')}\r\n`);
}
