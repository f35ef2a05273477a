import type { PlanStep } from '../events/task-event.ts';

/** The prefix of texts that the service adds to a conversation. */
export const reminderMark = '[Reminder by the service]';

const longestTitle = 300;
const mostSteps = 60;

/** The current plan, for the end of a prompt, where a model heeds it most; null if nothing is left to do. */
export function remindOfPlan(plan: readonly PlanStep[]): string | null {
  if (!plan.some(({ status }) => status === 'todo' || status === 'doing')) return null;
  const lines = plan
    .slice(0, mostSteps)
    .map(({ title, status }) => `- ${status}: ${title.slice(0, longestTitle).toWellFormed()}`);
  return `${reminderMark} Your plan as it stands:\n${lines.join('\n')}`;
}

/** Share of the window from which on a model is told that old results will soon be cleared. */
export const remindAtPart = 0.45;

/** Reminds the model, before old results are cleared, to keep what it still needs of them. */
export const clearingReminder = `${reminderMark} This conversation is getting long: old tool results will soon be left out of it. State or write
to a file (notes.md) now whatever you will still need from them: names, numbers, addresses, findings.`;
