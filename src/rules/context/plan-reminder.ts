import type { PlanStep } from '../events/task-event.ts';

/** The prefix of texts that the service adds at the end of a prompt. */
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
