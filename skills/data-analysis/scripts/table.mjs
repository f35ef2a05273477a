// Reads CSV, TSV and semicolon-separated text with quoted fields; shared by the other scripts.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

function chooseSeparator(text) {
  const [line = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t', '|'].map((mark) => [line.split(mark).length, mark]);
  return counts.sort((a, b) => b[0] - a[0])[0][1];
}

function* readRecords(text, separator) {
  let record = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at];
      else isQuoted = false;
    } else if (char === '"' && field === '') isQuoted = true;
    else if (char === separator) {
      record.push(field);
      field = '';
    } else if (char === '\n') {
      record.push(field.endsWith('\r') ? field.slice(0, -1) : field);
      yield record;
      record = [];
      field = '';
    } else field += char;
  }
  if (field !== '' || record.length > 0) yield [...record, field];
}

/** As read_file decodes: UTF-8, UTF-16 with a byte order mark, else Windows-1252. */
function decode(bytes) {
  const mark = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  const encoding = isUtf8(bytes) ? 'utf-8' : mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'windows-1252';
  return new TextDecoder(encoding).decode(bytes);
}

/** The columns and rows of a file; rows are arrays of texts in the order of the columns. */
export function readTable(path) {
  const text = decode(readFileSync(path));
  const [columns = [], ...rows] = readRecords(text, chooseSeparator(text));
  const names = columns.map((name, index) => name.trim() || `column_${index + 1}`);
  return { columns: names, rows: rows.filter((row) => row.some((value) => value.trim() !== '')) };
}

export function toNumber(text) {
  const clean = (text ?? '').trim();
  return clean !== '' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(clean) ? Number(clean) : null;
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function round(value) {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : null;
}

export function writeCsv(rows) {
  const quote = (value) => (/[",\n\r]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ''));
  return `${rows.map((row) => row.map(quote).join(',')).join('\n')}\n`;
}
