import { type CellAddress, columnLetters, columnNumber, isOnSheet } from './cell-address.ts';

/** A corner of a reference; null where it spans all rows or columns. */
export interface Corner {
  row: number | null;
  column: number | null;
  isRowFixed: boolean;
  isColumnFixed: boolean;
}

/** A reference in a formula, as `Sales!$B$2:B9`. */
export interface Reference {
  /** The sheet that it names; null for that of the formula. */
  sheet: string | null;
  from: Corner;
  to: Corner | null;
}

const cell = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}`;
const area = String.raw`${cell}(?::${cell})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6}`;
const name = String.raw`[\p{L}_\\][\p{L}\p{N}_.\\]*`;
const token = new RegExp(
  String.raw`"(?:[^"]|"")*"|((?:'(?:[^']|'')+'|(?:\[[^\[\]]+\])?${name})!)?(${area})(?![\p{L}\p{N}_.(!\[])|'(?:[^']|'')+'!?|\[[^\[\]]*\]|${name}!?|\d+(?:\.\d+)?|.`,
  'gsu',
);

function readCorner(text: string): Corner {
  const [, columnMark, letters, rowMark, digits] = /^(\$?)([A-Za-z]*)(\$?)(\d*)$/.exec(text) ?? [];
  const isRow = letters === '';
  return {
    row: digits ? Number(digits) : null,
    column: letters ? columnNumber(letters) : null,
    isRowFixed: isRow ? columnMark === '$' : rowMark === '$',
    isColumnFixed: columnMark === '$',
  };
}

function writeCorner({ row, column, isRowFixed, isColumnFixed }: Corner): string {
  const letters = column === null ? '' : `${isColumnFixed ? '$' : ''}${columnLetters(column)}`;
  return `${letters}${row === null ? '' : `${isRowFixed ? '$' : ''}${row}`}`;
}

function readSheet(prefix: string | undefined): string | null {
  if (prefix === undefined) return null;
  const text = prefix.slice(0, -1);
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/** The name of a sheet as formulas write it. */
export function quoteSheet(sheet: string): string {
  const isPlain =
    /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) && !/^[A-Za-z]{1,3}\d+$|^r\d*c?\d*$|^c\d*$|^(true|false)$/i.test(sheet);
  return isPlain ? sheet : `'${sheet.replaceAll("'", "''")}'`;
}

export function writeReference({ sheet, from, to }: Reference): string {
  const prefix = sheet === null ? '' : `${quoteSheet(sheet)}!`;
  return `${prefix}${writeCorner(from)}${to ? `:${writeCorner(to)}` : ''}`;
}

/** A formula with references replaced by what `map` returns; null leaves one as it is written. */
export function mapReferences(formula: string, map: (reference: Reference) => string | null): string {
  return formula.replaceAll(token, (whole: string, prefix: string | undefined, place: string | undefined) => {
    if (place === undefined) return whole;
    const [first = '', last] = place.split(':');
    const reference = { sheet: readSheet(prefix), from: readCorner(first), to: last === undefined ? null : readCorner(last) };
    return map(reference) ?? whole;
  });
}

/** The references of a formula. `isPlain` is false if it also reads what they do not name: names, tables, computed addresses. */
export function listReferences(formula: string): { references: Reference[]; isPlain: boolean } {
  const references: Reference[] = [];
  const rest = mapReferences(formula, (reference) => {
    references.push(reference);
    return ' ';
  });
  const words = rest.replaceAll(/"(?:[^"]|"")*"/g, '').match(/[\p{L}_\\][\p{L}\p{N}_.\\]*\(?|[[\]'#]/gu) ?? [];
  const isPlain = words.every(
    (word) => /^(true|false)$/i.test(word) || (word.endsWith('(') && !/^(indirect|offset)\(/i.test(word)),
  );
  return { references, isPlain };
}

/** Whether a formula reads the cells of several sheets at once, as `Jan:Dec!A1`. */
export function spansSheets(formula: string): boolean {
  const plain = formula.replaceAll(/"(?:[^"]|"")*"/g, '');
  return /[\p{L}\p{N}_.]:[\p{L}_][\p{L}\p{N}_.]*!|'[^']*:[^']*'!/u.test(plain);
}

function shiftCorner(corner: Corner, rows: number, columns: number): Corner | null {
  const row = corner.row === null || corner.isRowFixed ? corner.row : corner.row + rows;
  const column = corner.column === null || corner.isColumnFixed ? corner.column : corner.column + columns;
  return isOnSheet({ row: row ?? 1, column: column ?? 1 }) ? { ...corner, row, column } : null;
}

/** A formula as it reads when copied from one cell to another. */
export function translateFormula(formula: string, from: CellAddress, to: CellAddress): string {
  const [rows, columns] = [to.row - from.row, to.column - from.column];
  return mapReferences(formula, (reference) => {
    const first = shiftCorner(reference.from, rows, columns);
    const last = reference.to && shiftCorner(reference.to, rows, columns);
    return first && (last || !reference.to) ? writeReference({ ...reference, from: first, to: last }) : '#REF!';
  });
}
