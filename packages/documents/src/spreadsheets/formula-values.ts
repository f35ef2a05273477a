/** The result of a formula. An error is a spreadsheet error (`#DIV/0!`). */
export type Value = number | string | boolean | null | FormulaError;

export class FormulaError {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

export const divisionByZero = new FormulaError('#DIV/0!');
export const wrongValue = new FormulaError('#VALUE!');
export const notFound = new FormulaError('#N/A');
export const badNumber = new FormulaError('#NUM!');

/** An argument: one value, or the values of a range row by row. */
export type Argument = Value | Value[][];

export function flatten(parts: readonly Argument[]): Value[] {
  return parts.flatMap((part) => (Array.isArray(part) ? part.flat() : [part]));
}

export function single(part: Argument | undefined): Value {
  if (part === undefined) return null;
  if (!Array.isArray(part)) return part;
  return part.length === 1 && part[0]?.length === 1 ? (part[0][0] ?? null) : wrongValue;
}

export function toNumber(value: Value): number | FormulaError {
  if (value instanceof FormulaError) return value;
  if (typeof value === 'number') return value;
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : wrongValue;
}

export function toText(value: Value): string {
  if (value instanceof FormulaError) return value.code;
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : value;
}

export function isTrue(value: Value): boolean | FormulaError {
  if (value instanceof FormulaError) return value;
  if (typeof value === 'string')
    return value.toUpperCase() === 'TRUE' ? true : value.toUpperCase() === 'FALSE' ? false : wrongValue;
  return value !== null && value !== 0 && value !== false;
}

/** Numbers before texts before booleans; texts are case-insensitive. */
export function compare(left: Value, right: Value): number {
  const rank = (value: Value) => (typeof value === 'boolean' ? 2 : typeof value === 'string' ? 1 : 0);
  const [a, b] = [left ?? (typeof right === 'string' ? '' : 0), right ?? (typeof left === 'string' ? '' : 0)];
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string')
    return a.toLowerCase() < toText(b).toLowerCase() ? -1 : a.toLowerCase() === toText(b).toLowerCase() ? 0 : 1;
  return Number(a) - Number(b);
}
