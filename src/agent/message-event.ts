import type { DeliveredFile, TaskEvent } from '../rules/events/task-event.ts';

/** A message of the agent to its user, with the files delivered since its last message. */
export function messageEvent(text: string, delivered: readonly DeliveredFile[]): TaskEvent {
  if (delivered.length === 0) return { type: 'assistant_message', text };
  return { type: 'assistant_message', text, attachments: delivered.map(({ attachment }) => attachment) };
}
