import type { Database } from '../../../src/store/db/database.ts';
import type { Script, StoreOperation } from '../../../src/store/db/store-operation.ts';
import { operationTable } from '../../../src/store/operations.ts';
import { getTask } from '../../../src/store/tasks/tasks.ts';

/** Statements, the rows that they returned, and the bytes of parameters and rows as JSON. */
export interface Counts {
  statements: number;
  rows: number;
  bytes: number;
}

/** What a database is asked for, except by tests that look whether a task has ended. */
export class Traffic {
  #counts: Counts = { statements: 0, rows: 0, bytes: 0 };

  /** What was asked for since the last time. */
  take(): Counts {
    const counts = this.#counts;
    this.#counts = { statements: 0, rows: 0, bytes: 0 };
    return counts;
  }

  /** The operation, counted whenever it runs in this thread. */
  count<Args, Result>(operation: StoreOperation<Args, Result>): StoreOperation<Args, Result> {
    if (operation.name === getTask.name) return operation;
    return { ...operation, run: (args) => this.#follow(operation.run(args)) };
  }

  *#follow<Result>(script: Script<Result>): Script<Result> {
    let step = script.next([]);
    while (!step.done) {
      const results = yield step.value;
      this.#counts.statements += step.value.length;
      this.#counts.rows += results.reduce((sum, rows) => sum + rows.length, 0);
      this.#counts.bytes += JSON.stringify([step.value.map(({ params }) => params), results]).length;
      step = script.next(results);
    }
    return step.value;
  }
}

/** All operations, counted; for a database that finds them by their names. */
export function countOperations(traffic: Traffic): typeof operationTable {
  return new Map([...operationTable].map(([name, operation]) => [name, traffic.count(operation)]));
}

/** Counts the operations of a database that runs them in this thread. */
export function countRuns(database: Database, traffic: Traffic): void {
  const run = database.run.bind(database);
  database.run = (operation, args) => run(traffic.count(operation), args);
}
