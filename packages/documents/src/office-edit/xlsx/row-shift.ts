import { type CellAddress, type CellRange, mostColumns } from './cell-address.ts';
import type { Reference } from './formula-references.ts';
import type { Sheet } from './workbook.ts';

/** New rows below data: what stood in their place, such as totals, moves down into cells that are empty. */
export interface RowShift {
  sheet: Sheet;
  /** The columns in which cells move; the others stay. */
  columns: { from: number; to: number };
  /** The first row with data. What reads everything from here to the row before `at` reads the new rows too. */
  dataFrom: number;
  /** The first of the new rows. */
  at: number;
  /** The last row that moves; `at - 1` if none does. */
  last: number;
  /** How many rows are new, and how far the others move. */
  count: number;
}

/** Where the rows of a range are afterwards. */
function shiftRows(
  { at, last, count, dataFrom }: RowShift,
  first: number,
  end: number,
  grows = true,
): [first: number, end: number] {
  const moves = (row: number) => row >= at && row <= last;
  const start = moves(first) ? first + count : first;
  if (moves(end) || (grows && end === at - 1 && first <= dataFrom)) return [start, end + count];
  // It ends in the empty cells, and still has to hold what moves into them.
  return first <= last && end > last ? [start, Math.max(end, last + count)] : [start, end];
}

/** Where a cell is afterwards; null if it stays. */
export function shiftAddress(shift: RowShift, { row, column }: CellAddress): CellAddress | null {
  const moves = row >= shift.at && row <= shift.last && column >= shift.columns.from && column <= shift.columns.to;
  return moves ? { row: row + shift.count, column } : null;
}

/**
 * Where a range is afterwards: several ranges if only some of its columns move, and the same one if none does.
 *
 * @param grows whether one of all data also holds for the new rows
 */
export function shiftRange(shift: RowShift, { from, to }: CellRange, grows = true): CellRange[] {
  const { columns } = shift;
  const [row, end] = shiftRows(shift, from.row, to.row, grows);
  const [left, right] = [Math.max(from.column, columns.from), Math.min(to.column, columns.to)];
  if (left > right || (row === from.row && end === to.row)) return [{ from, to }];
  const beside = (first: number, last: number) =>
    first > last ? [] : [{ from: { row: from.row, column: first }, to: { row: to.row, column: last } }];
  const moved = { from: { row, column: left }, to: { row: end, column: right } };
  return [...beside(from.column, left - 1), moved, ...beside(right + 1, to.column)];
}

/** A reference after the shift, and the columns that it reads beside those that move. */
export interface ShiftedReference {
  reference: Reference;
  beside: { from: number; to: number }[];
}

/**
 * Null for a reference that means the same cells as before.
 *
 * @param row that of the formula in the same sheet: one that reads down to its own row, such as a running total, does not grow
 */
export function shiftReference(shift: RowShift, reference: Reference, row?: number): ShiftedReference | null {
  const { from, to } = reference;
  const last = to ?? from;
  if (from.row === null || last.row === null) return null;
  const isUpright = from.row <= last.row;
  const [top, bottom] = isUpright ? [from.row, last.row] : [last.row, from.row];
  const [left, right] = [
    Math.min(from.column ?? 1, last.column ?? 1),
    Math.max(from.column ?? mostColumns, last.column ?? mostColumns),
  ];
  const { columns } = shift;
  if (right < columns.from || left > columns.to) return null;
  // One cell has no data that it could read all of.
  const grows = to !== null && (row === undefined || bottom !== row || (isUpright ? to : from).isRowFixed);
  const [start, end] = shiftRows(shift, top, bottom, grows);
  if (start === top && end === bottom) return null;
  const beside = [
    { from: left, to: columns.from - 1 },
    { from: columns.to + 1, to: right },
  ].filter((each) => each.from <= each.to);
  const [first, second] = isUpright ? [start, end] : [end, start];
  return { reference: { ...reference, from: { ...from, row: first }, to: to && { ...to, row: second } }, beside };
}
