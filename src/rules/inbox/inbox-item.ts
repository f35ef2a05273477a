import { raiseSchema } from '../budgets/budget.ts';
import type { TaskEvent } from '../events/task-event.ts';

/**
 * What an item needs from a person: an answer, permission for an action, a new sign-in, a higher budget, or a decision about a failed task.
 */
export const inboxTypes = ['question', 'confirmation', 'sign_in', 'budget', 'failure'] as const;
export type InboxType = (typeof inboxTypes)[number];

/** The part of an event that the inbox shows; null for events that wait for nobody. */
export function readInboxEvent(
  event: TaskEvent,
): { type: InboxType; text: string; inputSchema: Record<string, unknown> | null } | null {
  if (event.type === 'error') return { type: 'failure', text: event.text, inputSchema: null };
  if (event.type !== 'waiting') return null;
  const { question: text, action, budget } = event;
  if (budget) return { type: 'budget', text, inputSchema: raiseSchema };
  if (!action) return { type: 'question', text, inputSchema: null };
  return { type: action.kind === 'connectorOauthExpired' ? 'sign_in' : 'confirmation', text, inputSchema: action.schema };
}

/** Whether these events end with a question to a person that a time limit can decide. Time limits never raise a budget. */
export function asksPerson(events: readonly TaskEvent[]): boolean {
  const last = events.at(-1);
  return last?.type === 'waiting' && !last.budget;
}

/** The id of an item: its task, and the number of the event that waits. */
export function inboxItemId(taskId: string, seq: number): string {
  return `${taskId}-${seq}`;
}

/** The parts of an item's id; null for any other text. */
export function parseInboxItemId(id: string): { taskId: string; seq: number } | null {
  const [, taskId = '', seq = ''] = /^([0-9A-Za-z]{22})-([1-9]\d{0,8})$/.exec(id) ?? [];
  return taskId === '' ? null : { taskId, seq: Number(seq) };
}
