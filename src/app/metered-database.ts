import type { Metrics } from '@errand/base/metrics.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import { claimTasks, type ClaimResult } from '../store/tasks/task-claims.ts';
import type { Database } from '../store/db/database.ts';
import type { StoreOperation } from '../store/db/store-operation.ts';
import { recordOutcomes, type RecordArgs } from '../store/webhooks/delivery-outcomes.ts';
import { appendEvents, type AppendArgs, type AppendResult } from '../store/tasks/task-leases.ts';

const endings = { waiting: 'waiting', stopped: 'stopped', failed: 'error' } as const;

function endingOf(events: readonly TaskEvent[]): string | undefined {
  return events.flatMap(({ type }) => (type in endings ? endings[type as keyof typeof endings] : []))[0];
}

/** What a stored write says about the work of this process. */
function note(metrics: Metrics, { name }: { name: string }, args: unknown, result: unknown): void {
  if (name === appendEvents.name) {
    const status = endingOf((args as AppendArgs).events);
    const isLogged = (result as AppendResult).outcome === 'logged';
    if (status !== undefined && isLogged) metrics.count('errand_turns_ended_total', { status });
  } else if (name === claimTasks.name) {
    metrics.count('errand_tasks_claimed_total', {}, (result as ClaimResult).tasks.length);
  } else if (name === recordOutcomes.name) {
    for (const { verdict } of (args as RecordArgs).outcomes) metrics.count('errand_deliveries_total', { result: verdict });
  }
}

/** The store as workers see it, which counts what they have stored; the workers themselves know nothing of it. */
export function meterDatabase(database: Database, metrics: Metrics): Database {
  return {
    hints: database.hints,
    deltas: database.deltas,
    async run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
      const result = await database.run(operation, args);
      note(metrics, operation, args, result);
      return result;
    },
    runOnce: (operation, args, key) => database.runOnce(operation, args, key),
    close: () => database.close(),
  };
}
