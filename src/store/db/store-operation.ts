import type { CounterName, Labels } from '@errand/base/metrics.ts';
import type { Hint } from '@errand/base/signals/hints.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';

export type SqlValue = string | number | null;

declare const unread: unique symbol;
/** A row as returned by the database. It can only be read through the codec of its table (`row-codec.ts`). */
export interface Row {
  readonly [unread]: true;
}

/** How a SELECT locks the rows that it finds, at its end: not at all, after those that others have locked, or only those that nobody has. */
export type RowLock = '' | 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED';

/** The columns of a row by their stored names. */
export type RowValues = Readonly<Record<string, SqlValue>>;

/** A row constructed before it is stored. */
export function rowOf(values: RowValues): Row {
  return values as unknown as Row;
}

/** Portable SQL: `?` for parameters; `FOR UPDATE`, `COLLATE "C"`, `WITHOUT ROWID`, `INDEXED BY` where one engine needs them. */
export interface Statement {
  sql: string;
  params: readonly SqlValue[];
  /** Entries it adds to an account's security record, for the log. */
  event?: SecurityEvent;
}

/**
 * The body of an operation: it yields statements and receives their rows, without knowledge of drivers, promises or threads. Statements of
 * one yield run in order; several operations may interleave in one transaction, so the first yield takes the locks.
 */
export type Script<Result> = Generator<Step, Result, readonly Row[][]>;

/** Statements that a script yields at once. */
export interface Step extends ReadonlyArray<Statement> {
  /** After these, the script only computes its result, which cannot fail, so the commit may be sent with them. */
  readonly isLast?: true;
}

/** Marks statements as the last ones of a write (`Step.isLast`). */
export function lastStep(statements: readonly Statement[]): Step {
  return Object.assign([...statements], { isLast: true as const });
}

/** An action to count in the metrics of this process. */
export interface Measurement {
  counter: CounterName;
  labels?: Labels;
  /** Count; default 1. */
  count?: number;
}

export interface StoreOperation<Args, Result> {
  readonly name: string;
  /**
   * `write` joins a group commit, `exclusive` is a write with its own transaction, `priority` a write that no other kind may delay, `read`
   * has no transaction.
   */
  readonly access: 'read' | 'write' | 'exclusive' | 'priority';
  /** Names of the rows it locks. Two writes that share one never share a batch; a batch locks in the order of these names. */
  keys?(args: Args): readonly string[];
  run(args: Args): Script<Result>;
  /**
   * The account whose data this read scans, at a cost that grows with the data; null for a read served by an index. A scan runs beside
   * all other operations, in a slot that accounts share fairly (`scan-slots.ts`).
   */
  scans?(args: Args): string | null;
  /** Hints for other parts of the service, published once the result is durable. */
  announce?(args: Args, result: Result): readonly Hint[];
  /** What the calling process counts in its metrics. */
  measure?(args: Args, result: Result): readonly Measurement[];
}

export function sql(text: string, ...params: SqlValue[]): Statement {
  return { sql: text, params };
}

/** Runs one statement and returns all its rows. */
export function* selectAll(text: string, ...params: SqlValue[]): Script<Row[]> {
  const [rows] = yield [sql(text, ...params)];
  return rows ?? [];
}

/** Runs one statement and returns its first row if any. */
export function* selectFirst(text: string, ...params: SqlValue[]): Script<Row | undefined> {
  return (yield* selectAll(text, ...params))[0];
}

/** Runs one statement that always returns a row, such as an aggregate. */
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

/** Reads columns of the row with this key. */
export function findRow(columns: string, table: string, key: RowValues): Script<Row | undefined> {
  return selectFirst(`SELECT ${columns} FROM ${table} WHERE ${whereKey(key)}`, ...Object.values(key));
}

/** Finds a row by its key and locks it until the transaction ends; undefined if there is none. */
export function lockRow(columns: string, table: string, key: RowValues): Script<Row | undefined> {
  return selectFirst(`SELECT ${columns} FROM ${table} WHERE ${whereKey(key)} FOR UPDATE`, ...Object.values(key));
}

/** Deletes the row with this key; returns its former columns. */
export function deleteRow(columns: string, table: string, key: RowValues): Script<Row | undefined> {
  return selectFirst(`DELETE FROM ${table} WHERE ${whereKey(key)} RETURNING ${columns}`, ...Object.values(key));
}

/** `?, ?, ?` for this many values. */
export function marks(count: number): string {
  return repeat('?', count);
}

/** `(?, ?), (?, ?)` for `rows` rows of `columns` values. */
export function placeholders(rows: number, columns: number): string {
  return repeat(`(${marks(columns)})`, rows);
}

/** A list of `VALUES` rows. */
export function repeat(row: string, count: number): string {
  return Array.from({ length: count }, () => row).join(', ');
}

/** Stores a row with these columns. */
export function insertRow(table: string, values: RowValues): Statement {
  const names = Object.keys(values);
  return sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks(names.length)})`, ...Object.values(values));
}

/** Deletes rows that match the condition, at most `limit`; returns their number. `key` lists the primary key columns. */
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

/** Locks the row of an account, which serializes its operations. False if the account does not exist. */
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
