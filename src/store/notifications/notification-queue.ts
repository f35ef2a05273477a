import type { Hint } from '@errand/base/signals/hints.ts';
import { deriveId } from '@errand/base/ids.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { noticeKindOf } from '../../rules/notifications/notice.ts';
import type { NoticeKind } from '../../rules/notifications/notification-settings.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import { type Row, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';

/**
 * Who may have to be notified of the task that a statement writes, for its RETURNING: those who have chosen nothing cost index lookups and
 * no extra statement. That is who acts in the task: its assignee, or else its owner, also for an assignee who has chosen nothing or whose
 * account is not active, because somebody must hear of it. Subtasks report to their task.
 */
export const watcher = `CASE WHEN tasks.parent_id IS NULL THEN COALESCE(
  (SELECT n.account_id FROM notification_settings n JOIN accounts a ON a.account_id = n.account_id AND a.status = 'active'
    WHERE n.account_id = tasks.assignee),
  (SELECT n.account_id FROM notification_settings n WHERE n.account_id = tasks.account_id)) END AS watcher`;

const watchedRow = computedCodec('a task that was written', { watcher: nullable(text) });

/** Something that happened to a task, for one person. */
export interface NewNotice {
  /** The account that is notified. */
  accountId: string;
  kind: NoticeKind;
  taskAccountId: string;
  taskId: string;
  /** The event; 0 for the task itself. */
  seq: number;
  /** The comment that mentions the person; null or absent for what happened to the task. */
  commentId?: string | null;
  now: number;
}

const columns = 'account_id, id, kind, task_account_id, task_id, seq, comment_id, target, ready_at, fence, tries, created_at';

/**
 * Queues a notification once, for whoever has settings; `target` is null until it is known where it goes. The same facts with the same `now`
 * are the same notification as long as it has not been sent.
 */
export function queueNotice(notice: NewNotice, target: string | null = null): Statement {
  const { accountId, kind, taskAccountId, taskId, seq, commentId = null, now } = notice;
  const id = deriveId(now, [accountId, kind, taskId, seq, target ?? '', ...(commentId === null ? [] : [commentId])].join(' '));
  return sql(
    `INSERT INTO notifications (${columns})
     SELECT account_id, ?, ?, ?, ?, CAST(? AS BIGINT), ?, ?, errand_now(), 0, 0, CAST(? AS BIGINT) FROM notification_settings
     WHERE account_id = ? ON CONFLICT (account_id, id) DO NOTHING`,
    ...[id, kind, taskAccountId, taskId, seq, commentId, target, now, accountId],
  );
}

/** What must be stored together with these events of a task so that its assignee, or else its owner, is notified. */
export function queueNotices(
  written: Row,
  { accountId, taskId, now }: { accountId: string; taskId: string; now: number },
  events: readonly TaskEvent[],
  firstSeq: number,
): Statement[] {
  const watcherId = watchedRow.watcher(written);
  if (watcherId === null) return [];
  const about = { accountId: watcherId, taskAccountId: accountId, taskId, now };
  return events.flatMap((event, index) => {
    const kind = noticeKindOf(event);
    return kind === null ? [] : [queueNotice({ ...about, kind, seq: firstSeq + index })];
  });
}

/** Sends a person a test notification, wherever they can be notified. */
export const queueTest: StoreOperation<{ accountId: string; now: number }, null> = {
  name: 'notifications.queueTest',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, now }) {
    yield [queueNotice({ accountId, kind: 'test', taskAccountId: accountId, taskId: '', seq: 0, now })];
    return null;
  },
  announce: () => announceNotices(true),
};

/** Hints for the notification worker. */
export function announceNotices(isDue: boolean): Hint[] {
  return isDue ? [{ topic: 'notifications' }] : [];
}
