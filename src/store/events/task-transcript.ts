import type { TaskEvent } from '../../rules/events/task-event.ts';
import { type Operation, selectAll, selectFirst } from '../db/store-operation.ts';
import { readEvent } from './events.ts';

const maxMessages = 200;

export interface TaskStoryRow {
  title: string;
  status: string;
  messages: { from: 'user' | 'agent'; text: string }[];
  omitted: number;
}

function tell(event: TaskEvent): TaskStoryRow['messages'] {
  if (event.type === 'user_message') return [{ from: 'user', text: event.text }];
  return event.type === 'assistant_message' ? [{ from: 'agent', text: event.text }] : [];
}

/** The last messages of a task, oldest first; null when the account has no such task. */
export const readTaskStory: Operation<{ accountId: string; taskId: string }, TaskStoryRow | null> = {
  name: 'tasks.readStory',
  access: 'read',
  *run({ accountId, taskId }) {
    const task = yield* selectFirst('SELECT title, status FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId);
    if (!task) return null;
    const rows = yield* selectAll(
      `SELECT seq, at, type, body FROM events INDEXED BY events_shown WHERE account_id = ? AND task_id = ? AND audience = 1
       AND seq > 0 ORDER BY seq DESC LIMIT ?`,
      accountId,
      taskId,
      2 * maxMessages,
    );
    const messages = rows.toReversed().flatMap((row) => tell(readEvent(row).event));
    const omitted = Math.max(0, messages.length - maxMessages);
    return { title: String(task.title), status: String(task.status), messages: messages.slice(omitted), omitted };
  },
};
