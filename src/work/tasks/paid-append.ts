import { meterEvents } from '../../rules/credits/pricing.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { applyEvents } from '../../rules/tasks/task-status.ts';
import type { Database } from '../../store/db/database.ts';
import { appendPaid } from '../../store/tasks/paid-calls.ts';
import { type AppendArgs, appendEvents, type AppendResult } from '../../store/tasks/task-leases.ts';

type Appended = Exclude<AppendResult, { outcome: 'budgeted' }> & { isBudgeted: boolean };

function isPaid(events: readonly TaskEvent[]): boolean {
  return meterEvents(events).open !== null || applyEvents('running', events) !== 'running';
}

/** Appends to the log of a task, whether or not budgets limit it. For a limited task, only events that concern its cost take extra work. */
export async function appendAny(database: Pick<Database, 'run'>, args: AppendArgs, isBudgeted: boolean): Promise<Appended> {
  if (!isBudgeted || !isPaid(args.events)) {
    const result = await database.run(appendEvents, args);
    if (result.outcome !== 'budgeted') return { ...result, isBudgeted };
  }
  const paid = await database.run(appendPaid, args);
  if (paid.outcome === 'budgeted') throw new Error('a paid append cannot be refused for its budgets');
  return { ...paid, isBudgeted: true };
}
