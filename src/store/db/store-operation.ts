import type { CounterName, Labels } from '@errand/base/metrics.ts';
import type { Hint } from '@errand/base/signals/hints.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';

export type SqlValue = string | number | null;

declare const unread: unique symbol;
/** A row as the database gives it. Nothing can be read from it but through the codec of its table (`row-codec.ts`). */
export interface Row {
  readonly [unread]: true;
}

/** The columns of a row by their names, as they are stored. */
export type RowValues = Readonly<Record<string, SqlValue>>;

/** A row that is known before it is stored. */
export function rowOf(values: RowValues): Row {
  return values as unknown as Row;
}

/** Portable SQL: `?` for parameters; `FOR UPDATE`, `COLLATE "C"`, `WITHOUT ROWID`, `INDEXED BY` where one engine needs them. */
export interface Statement {
  sql: string;
  params: readonly SqlValue[];
  /** What it writes into an account's security record, for the log. */
  event?: SecurityEvent;
}

/**
 * The body of an operation: it yields statements and receives their rows, and knows no driver, promise or thread. Statements
 * of one yield run in order; several operations may take turns in one transaction, so locks are taken by the first yield.
 */
export type Script<Result> = Generator<readonly Statement[], Result, readonly Row[][]>;

/** Something that was done, for the counters of this process. */
export interface Measurement {
  counter: CounterName;
  labels?: Labels;
  /** How often; once where nothing is said. */
  count?: number;
}

export interface StoreOperation<Args, Result> {
  readonly name: string;
  /**
   * `write` joins a group commit, `exclusive` is a write with a transaction of its own, `priority` one that no other kind may hold up,
   * `read` has none.
   */
  readonly access: 'read' | 'write' | 'exclusive' | 'priority';
  /** Rows it locks, as names. Two writes that share one never share a batch; a batch locks in the order of these names. */
  keys?(args: Args): readonly string[];
  run(args: Args): Script<Result>;
  /** What other parts of the service should look at once the result is durable. */
  announce?(args: Args, result: Result): readonly Hint[];
  /** What the process that asked for it has done by it. */
  measure?(args: Args, result: Result): readonly Measurement[];
}

export function sql(text: string, ...params: SqlValue[]): Statement {
  return { sql: text, params };
}

/** One statement, all its rows. */
export function* selectAll(text: string, ...params: SqlValue[]): Script<Row[]> {
  const [rows] = yield [sql(text, ...params)];
  return rows ?? [];
}

/** One statement, its first row if any. */
export function* selectFirst(text: string, ...params: SqlValue[]): Script<Row | undefined> {
  return (yield* selectAll(text, ...params))[0];
}

/** One statement that always gives a row: an aggregate. */
export function* selectOne(text: string, ...params: SqlValue[]): Script<Row> {
  const row = yield* selectFirst(text, ...params);
  if (!row) throw new Error(`no row: ${text}`);
  return row;
}

/** `a = ? AND b = ?` for the columns of a key. */
function whereKey(key: RowValues): string {
  return Object.keys(key)
    .map((column) => `${column} = ?`)
    .join(' AND ');
}

/** Columns of the row with this key, if there is one. */
export function findRow(columns: string, table: string, key: RowValues): Script<Row | undefined> {
  return selectFirst(`SELECT ${columns} FROM ${table} WHERE ${whereKey(key)}`, ...Object.values(key));
}

/** As `findRow`, and nobody else changes the row until the end of the transaction. */
export function lockRow(columns: string, table: string, key: RowValues): Script<Row | undefined> {
  return selectFirst(`SELECT ${columns} FROM ${table} WHERE ${whereKey(key)} FOR UPDATE`, ...Object.values(key));
}

/** Deletes the row with this key; its columns as they were, if there was one. */
export function deleteRow(columns: string, table: string, key: RowValues): Script<Row | undefined> {
  return selectFirst(`DELETE FROM ${table} WHERE ${whereKey(key)} RETURNING ${columns}`, ...Object.values(key));
}

/** `?, ?, ?` for so many values. */
export function marks(count: number): string {
  return repeat('?', count);
}

/** `(?, ?), (?, ?)` for `rows` rows of `columns` values. */
export function placeholders(rows: number, columns: number): string {
  return repeat(`(${marks(columns)})`, rows);
}

/** A row of `VALUES` so many times. */
export function repeat(row: string, count: number): string {
  return Array.from({ length: count }, () => row).join(', ');
}

/** Stores a row whose columns have these names. */
export function insertRow(table: string, values: RowValues): Statement {
  const names = Object.keys(values);
  return sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks(names.length)})`, ...Object.values(values));
}

/** Deletes rows for which the condition holds, at most `limit`; how many. `key` lists the columns of the primary key. */
export function* deleteSome(
  from: { table: string; key: string; where: string; limit: number },
  ...params: SqlValue[]
): Script<number> {
  const { table, key, where, limit } = from;
  const gone = yield* selectAll(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ?) RETURNING 1 AS gone`,
    ...params,
    limit,
  );
  return gone.length;
}

/** The row of an account with its lock: what has it is done one after another. False where there is no such account. */
export function* lockAccount(accountId: string): Script<boolean> {
  return (yield* selectFirst('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId)) !== undefined;
}

/** The order in which rows are locked, and in which PostgreSQL sorts keys: bytewise. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Repeats the last item up to the next power of two, so that few distinct statements have to be prepared. */
export function padToPowerOfTwo<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: size - items.length }, () => last)];
}
