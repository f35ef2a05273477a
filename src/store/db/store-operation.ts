import type { Hint } from '@errand/base/signals/hints.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';

export type SqlValue = string | number | null;
export type Row = Record<string, SqlValue>;

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

/** `(?, ?), (?, ?)` for `rows` rows of `columns` values. */
export function placeholders(rows: number, columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

/** Repeats the last item up to the next power of two, so that few distinct statements have to be prepared. */
export function padToPowerOfTwo<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: size - items.length }, () => last)];
}
