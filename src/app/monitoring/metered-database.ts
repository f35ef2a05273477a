import type { Metrics } from '@errand/base/metrics.ts';
import type { Database } from '../../store/db/database.ts';
import type { StoreOperation } from '../../store/db/store-operation.ts';

/** The store, which also counts what its operations declare to be worth counting. */
export function meterDatabase(database: Database, metrics: Metrics): Database {
  return {
    hints: database.hints,
    deltas: database.deltas,
    async run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
      const result = await database.run(operation, args);
      for (const { counter, labels = {}, count } of operation.measure?.(args, result) ?? [])
        metrics.count(counter, labels, count);
      return result;
    },
    runOnce: (operation, args, key) => database.runOnce(operation, args, key),
    close: () => database.close(),
  };
}
