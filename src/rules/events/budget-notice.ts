import type { AttachmentView } from './public-attachment.ts';
import type { TaskEvent } from './task-event.ts';

/** Budgets of whom a task works for. Those of the account, its keys, projects, and schedules are the account's own business. */
const ownScopes: ReadonlySet<string> = new Set(['task', 'external_user', 'application']);
const usedUp = 'A budget is used up.';

/** Whether an event says only how much of a budget is used that is none of the reader's business. */
export function isPrivate(event: TaskEvent, { showsAccount }: AttachmentView): boolean {
  return event.type === 'budget_warning' && showsAccount === false && !ownScopes.has(event.scope);
}

/** What is said of a pause: for readers who may not know the account, without the figures of its budgets. */
export function describePause(
  { question, budget }: Extract<TaskEvent, { type: 'waiting' }>,
  { showsAccount }: AttachmentView,
): string {
  return budget && showsAccount === false && !ownScopes.has(budget.scope ?? 'task') ? usedUp : question;
}

/** The text of an error, likewise. */
export function describeError(
  { errorType, text }: Extract<TaskEvent, { type: 'error' }>,
  { showsAccount }: AttachmentView,
): string {
  return showsAccount === false && errorType === 'budget_exceeded' && text.startsWith('The budget of ') ? usedUp : text;
}
