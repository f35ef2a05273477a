import { Fault } from '@errand/base/fault.ts';
import type { Row, SqlValue } from './store-operation.ts';

/** What a column holds: its value as the code uses it, undefined where the stored one is missing or of another type. */
export type ColumnType<Value> = (stored: SqlValue | undefined) => Value | undefined;

/** The readers of a table's columns: `taskRow.title(row)` is a string, or an internal error that names `tasks.title`. */
export type RowCodec<Types extends Record<string, ColumnType<unknown>>> = {
  readonly [Column in keyof Types]: (row: Row) => Exclude<ReturnType<Types[Column]>, undefined>;
};

/** A text. */
export const text: ColumnType<string> = (stored) => (typeof stored === 'string' ? stored : undefined);

/** A whole number; the schema has no others, and none beyond 2^53. */
export const integer: ColumnType<number> = (stored) => (typeof stored === 'number' ? stored : undefined);

/** 0 or 1. */
export const flag: ColumnType<boolean> = (stored) => (stored === 1 ? true : stored === 0 ? false : undefined);

/** A text of which only some exist, all of them written by this service. */
export function oneOf<Value extends string>(): ColumnType<Value> {
  return text as ColumnType<Value>;
}

/** A text of JSON that this service wrote. */
export function json<Value>(): ColumnType<Value> {
  return (stored) => {
    if (typeof stored !== 'string') return undefined;
    try {
      return JSON.parse(stored) as Value;
    } catch {
      return undefined;
    }
  };
}

/** The same, or null. */
export function nullable<Value>(type: ColumnType<Value>): ColumnType<Value | null> {
  return (stored) => (stored === null ? null : type(stored));
}

function unreadable(source: string, column: string, stored: SqlValue | undefined): Fault {
  const found = stored === undefined ? 'is missing' : stored === null ? 'is null' : `cannot be read from a ${typeof stored}`;
  return new Fault('internal', 'Something went wrong inside the service.', { detail: `${source}.${column} ${found}` });
}

function createReader<Value>(source: string, column: string, type: ColumnType<Value>): (row: Row) => Value {
  return (row) => {
    const stored = (row as unknown as Record<string, SqlValue>)[column];
    const value = type(stored);
    if (value === undefined) throw unreadable(source, column, stored);
    return value;
  };
}

function createCodec<Types extends Record<string, ColumnType<unknown>>>(source: string, types: Types): RowCodec<Types> {
  const readers = Object.entries(types).map(([column, type]) => [column, createReader(source, column, type)]);
  return Object.fromEntries(readers) as RowCodec<Types>;
}

/** How the columns of a table are read. A test compares each declaration with the schema. */
export function tableCodec<Types extends Record<string, ColumnType<unknown>>>(table: string, types: Types): RowCodec<Types> {
  return createCodec(table, types);
}

/** How columns are read that a statement computes, or that an outer join may leave empty. `source` names them in errors. */
export function computedCodec<Types extends Record<string, ColumnType<unknown>>>(source: string, types: Types): RowCodec<Types> {
  return createCodec(source, types);
}
