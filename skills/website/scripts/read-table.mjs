// What data.js of a dashboard holds, from a csv file: columns with their kind, and rows.
import { isUtf8 } from 'node:buffer';

/** As read_file decodes: UTF-8, UTF-16 with a byte order mark, else Windows-1252. */
export function decode(bytes) {
  const mark = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  const encoding = isUtf8(bytes) ? 'utf-8' : mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'windows-1252';
  return new TextDecoder(encoding).decode(bytes);
}

/** The separator that the head has most of, outside of its quotes. */
function chooseMark(text) {
  const [head] = text.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  return [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0];
}

/**
 * The rows that are not empty, each with the line it begins at.
 * @returns {{line: number, cells: string[]}[]}
 * @throws {Error} where quotes leave open what a cell is
 */
function split(text, firstLine, mark = chooseMark(text)) {
  let row = { line: firstLine, cells: [] };
  const rows = [row];
  let [cell, line, quotedAt, isClosed] = ['', firstLine, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\n') line++;
    if (quotedAt > 0) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else [quotedAt, isClosed] = [0, true];
    } else if (sign === mark || sign === '\n') {
      row.cells.push(cell.trim());
      [cell, isClosed] = ['', false];
      if (sign === '\n') rows.push((row = { line, cells: [] }));
    } else if (isClosed && sign.trim() !== '')
      throw new Error(`line ${line}: text after a closing quote; a quote within a cell is written twice`);
    else if (sign === '"' && cell === '') quotedAt = line;
    else cell += sign;
  }
  if (quotedAt > 0) throw new Error(`line ${quotedAt}: a quote is not closed`);
  row.cells.push(cell.trim());
  return rows.filter(({ cells }) => cells.some((value) => value !== ''));
}

const isNumber = (value) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) && Number.isFinite(Number(value));

/** A day of the calendar: some browsers take 2025-02-30 for one in March, others for none. */
function isDate(value) {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** Codes look like numbers: postcodes begin with zeros, phone numbers with a plus, and orders have more digits than a number keeps. */
const isCode = (value) =>
  /^0\d|^\+\d{7,}$/.test(value) || (/^[-+]?\d+\.?\d*$/.test(value) && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER);

function kindOf(values) {
  const filled = values.filter((value) => value !== '');
  if (filled.length === 0) return 'text';
  if (filled.every(isDate)) return 'date';
  return filled.every(isNumber) && !filled.some(isCode) ? 'number' : 'text';
}

/**
 * @returns {{columns: {name: string, kind: string}[], rows: (string | number | null)[][]}}
 * @throws {Error} where the text is no table, with the line
 */
export function readTable(text) {
  const clean = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  // Excel writes the separator of a file into its first line.
  const [first, mark] = /^sep=([,;\t])\n/.exec(clean) ?? [''];
  const [head, ...body] = split(clean.slice(first.length), first === '' ? 1 : 2, mark);
  if (!head) throw new Error('no columns');
  const width = head.cells.length;
  const wide = body.find(({ cells }) => cells.slice(width).some((value) => value !== ''));
  if (wide) throw new Error(`line ${wide.line}: ${wide.cells.length} cells, but the head has ${width}`);
  const lines = body.map(({ cells }) => cells);
  const columns = head.cells.map((name, at) => ({
    name: name || `Column ${at + 1}`,
    kind: kindOf(lines.map((line) => line[at] ?? '')),
  }));
  const read = (value, kind) => (kind === 'text' ? value : value === '' ? null : kind === 'number' ? Number(value) : value);
  return { columns, rows: lines.map((line) => columns.map(({ kind }, at) => read(line[at] ?? '', kind))) };
}

/** What was read, for who made the file. */
export function describe({ columns, rows }) {
  return `${rows.length} rows, columns: ${columns.map(({ name, kind }) => `${name} (${kind})`).join(', ')}`;
}

/** A script, because a page of a folder may not read files beside it. */
export function writeData({ columns, rows }) {
  // As JSON within a script: the end of a script, and lines that only JSON allows, are written as codes.
  const json = (value) =>
    JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `// Dates are yyyy-mm-dd, empty numbers and dates are null.\nconst data = {\n  columns: ${json(columns)},\n  rows: [\n${rows.map((row) => `    ${json(row)},`).join('\n')}\n  ],\n};\n`;
}
