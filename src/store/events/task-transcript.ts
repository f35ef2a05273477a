import type { TaskEvent } from '../../rules/events/task-event.ts';
import { type StoreOperation, selectAll, selectFirst } from '../db/store-operation.ts';
import { readConversations } from './conversations.ts';
import { taskRow } from '../db/shared-rows.ts';
import { computedCodec, integer } from '../db/row-codec.ts';

/** How much of a conversation is read, counted from its end: messages, and stored bytes. */
const maxMessages = 200;
const maxBytes = 1024 * 1024;
/** Earlier messages are counted up to this number. */
const mostCounted = 10_000;

const countRow = computedCodec('the number of earlier messages', { count: integer });

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
    const bounds = { limit: maxMessages, maxBytesEach: maxBytes, maxBytes };
    const [log = []] = yield* readConversations.run({ accountId, taskIds: [taskId], ...bounds });
    const oldest = log.at(-1)?.seq ?? 0;
    const [earlier] = yield* selectAll(
      `SELECT COUNT(*) AS count FROM (SELECT seq FROM events INDEXED BY events_shown WHERE account_id = ? AND task_id = ? AND seq < ?
         AND audience = 1 AND type IN ('user_message', 'assistant_message') LIMIT ${mostCounted}) AS e`,
      accountId,
      taskId,
      oldest,
    );
    const messages = log.toReversed().flatMap(({ event }) => describe(event));
    const omitted = earlier ? countRow.count(earlier) : 0;
    return { title: taskRow.title(task), status: taskRow.status(task), messages, omitted };
  },
};
