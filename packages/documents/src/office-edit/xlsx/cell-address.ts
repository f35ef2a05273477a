import { invalidField } from '@errand/base/fault.ts';

/** The last row and column that a sheet can have, counted from 1. */
const mostRows = 1_048_576;
export const mostColumns = 16_384;

export interface CellAddress {
  row: number;
  column: number;
}

export interface CellRange {
  from: CellAddress;
  to: CellAddress;
}

export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

export function isOnSheet({ row, column }: CellAddress): boolean {
  return row >= 1 && row <= mostRows && column >= 1 && column <= mostColumns;
}

export function writeAddress({ row, column }: CellAddress): string {
  return `${columnLetters(column)}${row}`;
}

export function writeRange({ from, to }: CellRange): string {
  return from.row === to.row && from.column === to.column ? writeAddress(from) : `${writeAddress(from)}:${writeAddress(to)}`;
}

/** An address as files have it; null for anything else. */
export function parseAddress(text: string): CellAddress | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/i.exec(text.trim()) ?? [];
  if (letters === undefined || digits === undefined) return null;
  const address = { row: Number(digits), column: columnNumber(letters) };
  return isOnSheet(address) ? address : null;
}

export function parseRange(text: string): CellRange | null {
  const [first = '', last = first] = text.split(':');
  const [from, to] = [parseAddress(first), parseAddress(last)];
  if (!from || !to) return null;
  return {
    from: { row: Math.min(from.row, to.row), column: Math.min(from.column, to.column) },
    to: { row: Math.max(from.row, to.row), column: Math.max(from.column, to.column) },
  };
}

/** An address that a model wrote. */
export function readAddress(text: string, field: string): CellAddress {
  const address = parseAddress(text);
  if (address) return address;
  throw invalidField(field, `${JSON.stringify(text.slice(0, 40))} is no cell. Write it as "B2".`);
}

export function isWithin({ row, column }: CellAddress, { from, to }: CellRange): boolean {
  return row >= from.row && row <= to.row && column >= from.column && column <= to.column;
}
