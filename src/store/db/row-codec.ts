import { Fault } from '@errand/base/fault.ts';
import type { Row, SqlValue } from './store-operation.ts';

/** Reads a column: its value as the code uses it, undefined if the stored one is missing or of another type. */
export type ColumnType<Value> = (stored: SqlValue | undefined) => Value | undefined;

type Columns = Record<string, ColumnType<unknown>>;
type Stored<Type extends ColumnType<unknown>> = Exclude<ReturnType<Type>, undefined>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;
type FieldName<Column extends string> = Column extends `${infer Stem}_at` ? `${CamelCase<Stem>}AtMs` : CamelCase<Column>;

/** The entries of a list of columns. */
type Listed<List extends string> = List extends `${infer First}, ${infer Rest}` ? First | Listed<Rest> : List;
/** The list itself if it contains only known columns, otherwise a type that it does not match. */
type Known<Column extends string, List extends string> = Listed<List> extends Column | `${Column} as ${string}` ? List : Column;

/** The record of selected columns: `created_at` becomes `createdAtMs`, `id as taskId` becomes `taskId`. */
type RecordOf<Types extends Columns, Picked extends string> = {
  [Pick in Picked as Pick extends `${string} as ${infer Field}` ? Field : FieldName<Pick>]: Stored<
    Types[Pick extends `${infer Column} as ${string}` ? Column : Pick]
  >;
};

/** Reads several columns of a row together, and lists them for the SELECT. */
export interface RecordReader<Value> {
  readonly read: (row: Row) => Value;
  /** The column names for a statement. */
  readonly columns: string;
  /** The column names with the alias of the table: `t.id, t.title`. */
  readonly columnsOf: (table: string) => string;
}

/** Readers of a table's columns: `taskRow.title(row)` is a string, or an internal error that names `tasks.title`. */
export type RowCodec<Types extends Columns> = RecordReader<RecordOf<Types, keyof Types & string>> & {
  readonly [Column in keyof Types]: (row: Row) => Stored<Types[Column]>;
} & {
  /** A reader of only these columns: `'id as taskId, created_at'`; `as` names the field where the default does not fit. */
  readonly pick: <List extends string>(
    ...lists: readonly Known<keyof Types & string, List>[]
  ) => RecordReader<RecordOf<Types, Listed<List>>>;
};

/** A string. */
export const text: ColumnType<string> = (stored) => (typeof stored === 'string' ? stored : undefined);

/** An integer; the schema has no other numbers, and none beyond 2^53. */
export const integer: ColumnType<number> = (stored) => (typeof stored === 'number' ? stored : undefined);

/** 0 or 1. */
export const flag: ColumnType<boolean> = (stored) => (stored === 1 ? true : stored === 0 ? false : undefined);

/** A string from a fixed set, always written by this service. */
export function oneOf<Value extends string>(): ColumnType<Value> {
  return text as ColumnType<Value>;
}

/** JSON written by this service. */
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

/** The type of a column that may also be null. */
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

/** `created_at` becomes `createdAtMs`: every column with that suffix is a time. */
function nameField(column: string): string {
  return column.replace(/_at$/, '_at_ms').replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function createRecordReader(
  readers: Readonly<Record<string, (row: Row) => unknown>>,
  lists: readonly string[],
): RecordReader<Record<string, unknown>> {
  const picked = lists.flatMap((list) => list.split(', '));
  const fields = picked.map((pick) => {
    const [column = '', field = nameField(column)] = pick.split(' as ');
    const read = readers[column];
    if (!read) throw new Error(`no column ${column}`);
    return { column, field, read };
  });
  // Copying an object that already has all fields is faster than adding them one by one.
  const empty = Object.fromEntries(fields.map(({ field }) => [field, null]));
  return {
    read: (row) => {
      const record: Record<string, unknown> = { ...empty };
      for (const { field, read } of fields) record[field] = read(row);
      return record;
    },
    columns: fields.map(({ column }) => column).join(', '),
    columnsOf: (table) => fields.map(({ column }) => `${table}.${column}`).join(', '),
  };
}

function createCodec<Types extends Columns>(source: string, types: Types): RowCodec<Types> {
  const readers = Object.fromEntries(Object.entries(types).map(([column, type]) => [column, createReader(source, column, type)]));
  const pick = (...lists: readonly string[]) => createRecordReader(readers, lists);
  return { ...readers, ...pick(...Object.keys(types)), pick } as unknown as RowCodec<Types>;
}

/** Declares how the columns of a table are read. A test compares each declaration with the schema. */
export function tableCodec<Types extends Columns>(table: string, types: Types): RowCodec<Types> {
  return createCodec(table, types);
}

/** Declares how computed columns, or those of an outer join, are read. `source` names them in errors. */
export function computedCodec<Types extends Columns>(source: string, types: Types): RowCodec<Types> {
  return createCodec(source, types);
}
