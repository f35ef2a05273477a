import type { Metrics } from '@errand/base/metrics.ts';
import type { Database, IdempotencyKey } from '../../store/db/database.ts';
import type { StoreOperation } from '../../store/db/store-operation.ts';

/** A store that also counts the operations that ask for it. */
export function meterDatabase(database: Database, metrics: Metrics): Database {
  const measure = <Args, Result>(operation: StoreOperation<Args, Result>, args: Args, result: Result) => {
    for (const { counter, labels = {}, count } of operation.measure?.(args, result) ?? []) metrics.count(counter, labels, count);
  };
  return {
    hints: database.hints,
    deltas: database.deltas,
    async run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
      const result = await database.run(operation, args);
      measure(operation, args, result);
      return result;
    },
    async runOnce<Args, Result>(operation: StoreOperation<Args, Result>, args: Args, key: IdempotencyKey) {
      const remembered = await database.runOnce(operation, args, key);
      if (!remembered.isReplay) measure(operation, args, remembered.result);
      return remembered;
    },
    close: () => database.close(),
  };
}
