import { meterEvents } from '../../rules/credits/pricing.ts';
import type { TaskEvent, TaskStatus } from '../../rules/events/task-event.ts';
import { hasOuterBudget } from '../budgets/budget-holds.ts';

/** SQL condition that a task may append events without regard to budgets; they matter when a model call begins or ends, or the session does. */
export function whileUnlimited(events: readonly TaskEvent[], status: TaskStatus): string {
  const begins = status !== 'running' || events.some((event) => 'estimatedCost' in event);
  if (begins) return `AND budget_hold IS NULL AND budget_root IS NULL AND NOT ${hasOuterBudget('tasks')}`;
  // A call that began without a budget ends without one.
  return meterEvents(events).open === null ? '' : 'AND budget_hold IS NULL';
}

/** When a task that begins to wait for a budget is tried again. */
export function findRetryAt(events: readonly TaskEvent[]): number | null {
  const last = events.at(-1);
  return last?.type === 'waiting' && last.budget ? (last.budget.retryAtMs ?? Number.MAX_SAFE_INTEGER) : null;
}
