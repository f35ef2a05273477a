import { zeroValue } from '../rules/output/output-zero.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import type { TaskState } from '../rules/tasks/task-state.ts';
import type { Journal } from './journal.ts';

/** The documented text for a failed extraction (docs/reference/api.md#extraction-errors). */
export const extractionFailed = 'Failed to extract structured output';

/** The events of a successful end: the status first, then the structured result that clients read after it. */
export function finishEvents(state: TaskState, isUnanswered = false): TaskEvent[] {
  const { outcome } = state.extraction;
  const stopped: TaskEvent = { type: 'stopped', by: 'agent', ...(isUnanswered && { isUnanswered }) };
  return outcome ? [stopped, { type: 'extract_delivered', ...outcome }] : [stopped];
}

/** The events that end a task which cannot continue: the reason in words for the user; an armed schema is consumed without a result. */
export function failureEvents(state: TaskState, errorType: string, text: string): TaskEvent[] {
  const events: TaskEvent[] = [{ type: 'error', errorType, text }, { type: 'failed' }];
  if (!state.outputSchema) return events;
  const value = zeroValue(state.outputSchema);
  return [...events, { type: 'extract_delivered', success: false, value, error: extractionFailed }];
}

/** Ends a turn atomically: `decide` sees everything that arrived before anything is stored. */
export async function appendEnding(journal: Journal, decide: (state: TaskState) => readonly TaskEvent[]): Promise<void> {
  while (!(await journal.appendIfCurrent(decide(journal.state))));
}
