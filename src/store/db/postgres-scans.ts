import { DatabaseError } from 'pg';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { runExclusive } from './postgres-batch.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { translateError } from './postgres-fault.ts';
import { ScanSlots, scanSlots } from './scan-slots.ts';
import type { Script } from './store-operation.ts';

/** `query_canceled`: the statement took longer than its limit. */
const cancelled = '57014';

/** Runs costly reads on separate connections, opened for the first such read; the server cancels a read that takes too long. */
export class PostgresScans {
  readonly #slots: ScanSlots;
  /** Free connections, one for each slot. */
  readonly #free: PostgresConnection[];
  readonly #all: readonly PostgresConnection[];
  readonly #limitMs: number;

  /** @param limitMs time limit of a statement, shorter than the silence after which a connection is considered dead */
  constructor(connect: () => PostgresConnection, clock: Clock, limitMs: number) {
    this.#slots = new ScanSlots(clock);
    this.#limitMs = limitMs;
    this.#all = Array.from({ length: scanSlots }, connect);
    this.#free = [...this.#all];
  }

  run(owner: string, start: () => Script<unknown>): Promise<unknown> {
    return this.#slots.run(owner, async () => {
      const connection = this.#free.pop();
      if (!connection) throw new Error('a scan has a slot but no connection');
      try {
        return await runExclusive(await connection.get(), limitTime(start(), this.#limitMs));
      } catch (error) {
        throw explain(error);
      } finally {
        this.#free.push(connection);
      }
    });
  }

  /** Closes the connections once all requested scans have ended. */
  async close(): Promise<void> {
    await this.#slots.settle();
    await Promise.all(this.#all.map((connection) => connection.close()));
  }
}

/** Runs a script with a time limit for each of its statements; the limit ends with the transaction. */
function* limitTime<Result>(script: Script<Result>, limitMs: number): Script<Result> {
  yield [{ sql: `SET LOCAL statement_timeout = ${limitMs}`, params: [] }];
  return yield* script;
}

function explain(error: unknown): Error {
  if (!(error instanceof DatabaseError) || error.code !== cancelled) return translateError(error);
  return new Fault('unavailable', 'The search took too long; narrow it, for example to a project or a period.', { cause: error });
}
