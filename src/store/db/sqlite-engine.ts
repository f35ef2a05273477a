import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Fault } from '@errand/base/fault.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';
import { runRemembered } from './idempotency-keys.ts';
import { toSqlite } from './dialect.ts';
import type { StoreOperation, Row, Script, Statement } from './store-operation.ts';
import { packError, type WireCall, type WireOutcome, type WireReply } from './sqlite-messages.ts';

type KnownOperation = StoreOperation<unknown, unknown>;

/** Settings of the writer. `secure_delete` overwrites what is deleted, so that nothing of it stays in free pages. */
const writerSettings =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON';

/**
 * Runs operations on one SQLite connection, synchronously. The writes of a batch share a transaction: one fsync acknowledges all of them
 * (`synchronous=FULL`, so a power failure loses nothing that was acknowledged).
 */
export class SqliteEngine {
  readonly #database: DatabaseSync;
  readonly #operations: ReadonlyMap<string, KnownOperation>;
  readonly #statements = new Map<string, StatementSync>();
  #now = 0;
  #notified: SecurityEvent[] = [];

  constructor(file: string, operations: ReadonlyMap<string, KnownOperation>, { isReadOnly = false } = {}) {
    this.#operations = operations;
    this.#database = new DatabaseSync(file, { readOnly: isReadOnly });
    this.#database.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY');
    if (!isReadOnly) this.#database.exec(writerSettings);
    // Its own folds ASCII alone. No index may be made of it.
    this.#database.function('lower', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
    this.#database.function('errand_now', { deterministic: false }, () => this.#now);
    // Only PostgreSQL needs the list (migration 0081).
    this.#database.function('few_searched', { deterministic: true }, (_query) => null);
  }

  /** Runs writes first, in one transaction, then reads; outcomes are in the order of the calls. */
  runBatch(calls: readonly WireCall[], now: number): Pick<WireReply, 'outcomes' | 'notified'> {
    this.#now = now;
    const notified: SecurityEvent[] = [];
    this.#notified = notified;
    const outcomes: WireOutcome[] = new Array<WireOutcome>(calls.length);
    const writes: number[] = [];
    const reads: number[] = [];
    for (const [index, call] of calls.entries()) {
      (this.#operations.get(call.operation)?.access === 'read' ? reads : writes).push(index);
    }
    if (writes.length > 0) this.#runWrites(calls, writes, outcomes);
    for (const index of reads) outcomes[index] = this.#attempt(calls, index);
    return { outcomes, notified };
  }

  #runWrites(calls: readonly WireCall[], indexes: readonly number[], outcomes: WireOutcome[]): void {
    if (indexes.length > 1 && this.#runTogether(calls, indexes, outcomes)) return;
    for (const index of indexes) {
      if (!this.#runTogether(calls, [index], outcomes)) outcomes[index] ??= packError(new Error('the write was not run'));
    }
  }

  /** Runs the writes in one transaction. False if one of several failed, so that the caller reruns them one by one. */
  #runTogether(calls: readonly WireCall[], indexes: readonly number[], outcomes: WireOutcome[]): boolean {
    const notifiedBefore = this.#notified.length;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const index of indexes) outcomes[index] = { ok: true, value: this.#runCall(calls[index]) };
      this.#database.exec('COMMIT');
      return true;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#notified.length = notifiedBefore;
      const [only] = indexes;
      if (indexes.length === 1 && only !== undefined) outcomes[only] = packError(error);
      return indexes.length === 1;
    }
  }

  #attempt(calls: readonly WireCall[], index: number): WireOutcome {
    try {
      return { ok: true, value: this.#runCall(calls[index]) };
    } catch (error) {
      return packError(error);
    }
  }

  #runCall(call: WireCall | undefined): unknown {
    const operation = call && this.#operations.get(call.operation);
    if (!operation)
      throw new Fault('internal', 'Something went wrong inside the service.', { detail: `no operation ${call?.operation}` });
    return this.runScript(call.idempotency ? runRemembered(operation, call.args, call.idempotency) : operation.run(call.args));
  }

  runScript<Result>(script: Script<Result>): Result {
    let step = script.next([]);
    while (!step.done) step = script.next(step.value.map((statement) => this.#execute(statement)));
    return step.value;
  }

  #execute(statement: Statement): Row[] {
    let prepared = this.#statements.get(statement.sql);
    if (!prepared) {
      prepared = this.#database.prepare(toSqlite(statement.sql));
      this.#statements.set(statement.sql, prepared);
    }
    if (statement.event) this.#notified.push(statement.event);
    return prepared.all(...statement.params) as unknown as Row[];
  }

  /** Runs statements without parameters, several at once; for migrations. */
  execute(text: string): void {
    this.#database.exec(toSqlite(text));
  }

  close(): void {
    this.#database.close();
  }
}
