import type { DeliveredFile, PlanStep, TaskEvent } from '../rules/events/task-event.ts';

/** A message of the agent to its user, with the files delivered since its last message. */
export function messageEvent(text: string, delivered: readonly DeliveredFile[]): TaskEvent {
  if (delivered.length === 0) return { type: 'assistant_message', text };
  return { type: 'assistant_message', text, attachments: delivered.map(({ attachment }) => attachment) };
}

/** Events of a changed plan: the whole plan, with the title given to the task, and each new step. */
export function planEvents(
  before: readonly PlanStep[],
  after: readonly PlanStep[],
  callId: string,
  taskTitle?: string,
): TaskEvent[] {
  const known = new Set(before.map(({ title }) => title));
  const added = after.flatMap(({ title }, index): TaskEvent[] =>
    known.has(title) ? [] : [{ type: 'plan_step_added', stepId: `${callId}-${index + 1}`, title }],
  );
  return [{ type: 'plan_updated', steps: [...after], ...(taskTitle !== undefined && { title: taskTitle }) }, ...added];
}
