import type { TaskEvent } from '../../rules/events/task-event.ts';
import { type StoreOperation, selectAll, selectFirst } from '../db/store-operation.ts';
import { readEvent } from './events.ts';
import { taskRow } from '../db/shared-rows.ts';

const maxMessages = 200;

export interface TaskTranscriptRow {
  title: string;
  status: string;
  messages: { from: 'user' | 'agent'; text: string }[];
  omitted: number;
}

function describe(event: TaskEvent): TaskTranscriptRow['messages'] {
  if (event.type === 'user_message') return [{ from: 'user', text: event.text }];
  return event.type === 'assistant_message' ? [{ from: 'agent', text: event.text }] : [];
}

/** The last messages of a task, oldest first; null if the account has no such task. */
export const readTaskTranscript: StoreOperation<{ accountId: string; taskId: string }, TaskTranscriptRow | null> = {
  name: 'tasks.readTranscript',
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
    const messages = rows.toReversed().flatMap((row) => describe(readEvent(row).event));
    const omitted = Math.max(0, messages.length - maxMessages);
    return { title: taskRow.title(task), status: taskRow.status(task), messages: messages.slice(omitted), omitted };
  },
};
