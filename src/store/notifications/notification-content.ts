import { firstIdAt } from '@errand/base/ids.ts';
import { type InboxType, readInboxEvent } from '../../rules/inbox/inbox-item.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import { accountRow, taskRow } from '../db/shared-rows.ts';
import { type Script, selectAll, selectFirst, type StoreOperation } from '../db/store-operation.ts';
import { readEvent } from '../events/events.ts';
import { findMatch } from '../events/task-key.ts';

const contentRow = computedCodec('the content of a notification', {
  title: nullable(text),
  type: nullable(text),
});
const commentRow = computedCodec('the comment of a notification', { text, email: nullable(text) });

/** What a notification tells besides its kind. */
export interface NoticeContent {
  /** Email address of the person. */
  email: string;
  locale: string;
  taskTitle: string;
  /** Text of the item in the inbox, or of the comment; empty for none. */
  text: string;
  /** The address of who wrote the comment; null without one. */
  author: string | null;
  /** What it waits for; null for nothing. */
  type: InboxType | null;
  /** Answers that a question suggests. */
  suggestions: readonly string[];
}

interface NoticeKey {
  accountId: string;
  taskAccountId: string;
  taskId: string;
  seq: number;
  commentId?: string | null;
}

/** A comment as it is now; null if it was deleted. */
function* findComment(
  { taskAccountId, taskId }: NoticeKey,
  commentId: string,
): Script<{ text: string; author: string | null } | null> {
  const row = yield* selectFirst(
    `SELECT c.text, a.email FROM comments c LEFT JOIN accounts a ON a.account_id = c.author_id
     WHERE c.account_id = ? AND c.task_id = ? AND c.id = ?`,
    ...[taskAccountId, taskId, commentId],
  );
  return row ? { text: commentRow.text(row), author: commentRow.email(row) } : null;
}

/** Whether the person may read the task now; true for what is of no task. */
function* mayRead({ accountId, taskAccountId, taskId }: NoticeKey): Script<boolean> {
  if (accountId === taskAccountId) return true;
  return (yield* findMatch({ accountId: taskAccountId, taskId, sharedWithId: accountId })) !== undefined;
}

/** The content of a notification now; null if its person is gone, disabled, or may not read the task, or if the comment was deleted. */
export const getNoticeContent: StoreOperation<NoticeKey, NoticeContent | null> = {
  name: 'notifications.getContent',
  access: 'read',
  *run(key) {
    const { accountId, taskAccountId, taskId, seq, commentId = null } = key;
    if (!(yield* mayRead(key))) return null;
    const comment = commentId === null ? null : yield* findComment(key, commentId);
    if (commentId !== null && comment === null) return null;
    const row = yield* selectFirst(
      `SELECT a.email, a.locale, t.title, e.seq, e.at, e.type, e.body FROM accounts a
       LEFT JOIN tasks t ON t.account_id = ? AND t.id = ?
       LEFT JOIN events e ON e.account_id = t.account_id AND e.task_id = t.id AND e.seq = ?
       WHERE a.account_id = ? AND a.status = 'active'`,
      ...[taskAccountId, taskId, seq, accountId],
    );
    if (!row) return null;
    const event = contentRow.type(row) === null ? null : readEvent(row).event;
    const item = event && readInboxEvent(event);
    return {
      email: accountRow.email(row),
      locale: accountRow.locale(row),
      taskTitle: contentRow.title(row) ?? '',
      text: comment?.text ?? item?.text ?? '',
      author: comment?.author ?? null,
      type: item?.type ?? null,
      suggestions: (event?.type === 'waiting' && event.suggestions) || [],
    };
  },
};

/** Tasks of each group that a digest names. */
const digestTasks = 20;

/** A task in a digest. */
export interface DigestTask {
  id: string;
  title: string;
}

/** What a digest tells: newest first, at most `digestTasks` of each. */
export interface DigestContent {
  finished: DigestTask[];
  failed: DigestTask[];
  waiting: DigestTask[];
}

/** Tasks that ended since this time and have not gone on, and those that wait. */
export const getDigestContent: StoreOperation<{ accountId: string; sinceMs: number }, DigestContent> = {
  name: 'notifications.getDigest',
  access: 'read',
  *run({ accountId, sinceMs }) {
    // Every end of a task writes a record, whose id begins with its time.
    const ended = (status: 'stopped' | 'error') =>
      selectAll(
        `SELECT t.id, t.title FROM tasks t JOIN (SELECT r.task_id, MAX(r.id) AS ended FROM usage_records r
           WHERE r.account_id = ? AND r.id >= ? AND r.type = 'cost' GROUP BY r.task_id) u ON u.task_id = t.id
         WHERE t.account_id = ? AND t.status = ? AND t.parent_id IS NULL ORDER BY u.ended DESC LIMIT ?`,
        ...[accountId, firstIdAt(sinceMs), accountId, status, digestTasks],
      );
    const [finished, failed] = [yield* ended('stopped'), yield* ended('error')];
    const waiting = yield* selectAll(
      `SELECT id, title FROM tasks WHERE account_id = ? AND status = 'waiting' AND status <> 'stopped' AND parent_id IS NULL
       ORDER BY id DESC LIMIT ?`,
      ...[accountId, digestTasks],
    );
    const read = taskRow.pick('id, title').read;
    return { finished: finished.map(read), failed: failed.map(read), waiting: waiting.map(read) };
  },
};
