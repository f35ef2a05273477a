import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '@errand/base/clock.ts';
import { LocalDeltas } from '@errand/base/signals/deltas.ts';
import { LocalHints } from '@errand/base/signals/hints.ts';
import { migrationToSqlite } from '../../../src/store/db/dialect.ts';
import { AnnouncingDatabase, type IdempotencyKey } from '../../../src/store/db/database.ts';
import { type StoreOperation, type RowValues, selectAll, type SqlValue } from '../../../src/store/db/store-operation.ts';
import { SqliteEngine } from '../../../src/store/db/sqlite-engine.ts';
import { unpackOutcome, type WireCall } from '../../../src/store/db/sqlite-messages.ts';
import { operationTable } from '../../../src/store/operations.ts';

const folder = new URL('../../../migrations/', import.meta.url);
const migrations = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** A hook to throw or wait: `before` the call reaches the store, or `after`, when it is done and only the caller does not know. */
export interface Interference {
  before?(call: WireCall): Promise<void> | void;
  after?(call: WireCall): Promise<void> | void;
}

/** What builds a migrated database at once: a quarter of the work of all migrations, which hundreds of tests would repeat. */
let migrated: string | undefined;

function readMigrated(engine: SqliteEngine): string {
  const read = (text: string) => engine.runScript(selectAll(text)) as unknown as RowValues[];
  const known = read(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  ).map(({ type, name, sql }) => ({ type, name: String(name), sql: String(sql) }));
  // A virtual table brings its own tables, and rows of it are written by triggers.
  const virtual = known.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name);
  const own = known.filter(({ name }) => !virtual.some((table) => name.startsWith(`${table}_`)));
  const parts = own.map(({ sql }) => `${sql};`);
  for (const { name } of own.filter((one) => one.type === 'table' && !virtual.includes(one.name))) {
    for (const row of read(`SELECT * FROM ${name}`)) {
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
      );
      parts.push(`INSERT INTO ${name} VALUES (${values.join(', ')});`);
    }
  }
  return parts.join('\n');
}

/**
 * The real operations on the real SQLite engine, in memory and without a thread: deterministic, and everything is done as soon as promises
 * have settled.
 */
export class MemoryDatabase extends AnnouncingDatabase {
  readonly hints = new LocalHints();
  readonly deltas = new LocalDeltas();
  interference: Interference = {};
  readonly #engine: SqliteEngine;
  readonly #clock: Clock;

  constructor(clock: Clock, operations = operationTable) {
    super();
    this.#clock = clock;
    this.#engine = new SqliteEngine(':memory:', operations);
    for (const text of migrated === undefined ? migrations.map(migrationToSqlite) : [migrated]) this.#engine.execute(text);
    migrated ??= readMigrated(this.#engine);
  }

  protected perform<Args>(operation: StoreOperation<Args, unknown>, args: Args, key: IdempotencyKey | null): Promise<unknown> {
    return this.#call({ operation: operation.name, args, idempotency: key });
  }

  async #call(call: WireCall): Promise<unknown> {
    await this.interference.before?.(call);
    const {
      outcomes: [packed],
    } = this.#engine.runBatch([structuredClone(call)], this.#clock.now());
    await this.interference.after?.(call);
    const outcome = packed && unpackOutcome(structuredClone(packed));
    if (!outcome?.ok) throw outcome?.error as Error;
    return outcome.value;
  }

  /** Plain SQL, bypassing the operations. */
  query(text: string, ...params: SqlValue[]): RowValues[] {
    return this.#engine.runScript(selectAll(text, ...params)) as unknown as RowValues[];
  }

  close(): Promise<void> {
    this.#engine.close();
    return Promise.resolve();
  }
}
