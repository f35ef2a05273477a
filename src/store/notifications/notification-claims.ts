/**
 * The queue of notifications.
 *
 * What the transaction of an event queues says only what happened. A claim decides where that goes: it replaces the row by one for each
 * target, or moves it to the end of the person's quiet hours, or drops it, because nobody wants it or somebody has decided meanwhile. Rows
 * with a target are sent by the worker that holds them; what it records proves the fence of its claim.
 */
import { mainTaskId } from '../../rules/agents/default-agent.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import {
  channelsFor,
  nextDigestTime,
  type NoticeKind,
  type NotificationSettings,
  sendTime,
} from '../../rules/notifications/notification-settings.ts';
import { computedCodec, flag, integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { clockRow } from '../db/shared-rows.ts';
import { type Script, selectAll, selectOne, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';
import { queueNotice } from './notification-queue.ts';
import { notificationSettingsRow } from './notification-settings.ts';
import { emailTarget, findChats, findSubscriptions } from './notification-targets.ts';

/** Rows, and digests, of one claim. */
const perClaim = 64;
/** `notifications` */
const noticeRow = tableCodec('notifications', {
  account_id: text,
  id: text,
  kind: oneOf<NoticeKind>(),
  task_account_id: text,
  task_id: text,
  seq: integer,
  comment_id: nullable(text),
  target: nullable(text),
  fence: integer,
  tries: integer,
  created_at: integer,
});
const queued = noticeRow.pick(
  'account_id, id, kind, task_account_id, task_id, seq, comment_id, target, fence, tries, created_at',
);
export type QueuedNotice = ReturnType<typeof queued.read>;

const routeRow = computedCodec('a notification to be routed', {
  settings: json<NotificationSettings>(),
  status: nullable(oneOf<TaskStatus>()),
  is_decided: flag,
  next_ms: nullable(integer),
  account_id: text,
  next_digest_at: nullable(integer),
  reported_until: integer,
});

/** A notification that this worker sends. */
export interface ClaimedNotice extends QueuedNotice {
  target: string;
}

/** The status of a task to which this still applies; null for any. */
function neededStatus(kind: NoticeKind): TaskStatus | null {
  if (kind === 'test' || kind === 'digest' || kind === 'assigned') return null;
  if (kind === 'finished') return 'stopped';
  return kind === 'failure' ? 'error' : 'waiting';
}

interface Routed {
  notice: QueuedNotice;
  settings: NotificationSettings;
  isCurrent: boolean;
}

function* findUnrouted(now: number): Script<Routed[]> {
  const rows = yield* selectAll(
    `SELECT ${queued.columnsOf('n')}, s.settings, t.status, CASE WHEN d.seq IS NULL THEN 0 ELSE 1 END AS is_decided
     FROM notifications n JOIN notification_settings s ON s.account_id = n.account_id
     LEFT JOIN tasks t ON t.account_id = n.task_account_id AND t.id = n.task_id
     LEFT JOIN inbox_decisions d ON d.account_id = n.task_account_id AND d.task_id = n.task_id AND d.seq = n.seq
     WHERE n.ready_at <= ? AND n.target IS NULL ORDER BY n.ready_at LIMIT ? FOR UPDATE OF n SKIP LOCKED`,
    now,
    perClaim,
  );
  return rows.map((row) => {
    const notice = queued.read(row);
    const needed = neededStatus(notice.kind);
    const isTask = notice.kind !== 'test' && notice.kind !== 'digest';
    const status = routeRow.status(row);
    const isCurrent = !isTask || (status !== null && (needed ?? status) === status && !routeRow.is_decided(row));
    return { notice, settings: routeRow.settings(row), isCurrent };
  });
}

/** Where somebody can be notified. */
interface Reach {
  subscriptions: readonly string[];
  chats: readonly string[];
  hasMail: boolean;
}

function route({ notice, settings, isCurrent }: Routed, { subscriptions, chats, hasMail }: Reach, now: number): Statement[] {
  const { accountId, id, kind, taskId } = notice;
  // A linked chat shows the main task itself, with its questions.
  const isThere = notice.taskAccountId === accountId && taskId === mainTaskId(accountId);
  const channels = isCurrent ? channelsFor(kind, settings) : [];
  const targets = [
    ...(channels.includes('push') ? subscriptions : []),
    ...(channels.includes('email') && hasMail ? [emailTarget] : []),
    ...(channels.includes('chat') && !isThere ? chats : []),
  ];
  const at = kind === 'test' || kind === 'digest' ? now : sendTime(settings, now);
  if (targets.length > 0 && at > now) {
    return [sql('UPDATE notifications SET ready_at = ? WHERE account_id = ? AND id = ?', at, accountId, id)];
  }
  return [
    ...targets.map((target) => queueNotice({ ...notice, now: notice.createdAtMs }, target)),
    sql('DELETE FROM notifications WHERE account_id = ? AND id = ?', accountId, id),
  ];
}

/** Queues the digests that are due, each once, and moves each person to the next one. */
function* queueDigests(now: number): Script<void> {
  const rows = yield* selectAll(
    `SELECT account_id, settings, next_digest_at, reported_until FROM notification_settings
     WHERE next_digest_at <= ? ORDER BY next_digest_at LIMIT ? FOR UPDATE SKIP LOCKED`,
    now,
    perClaim,
  );
  yield rows.flatMap((row) => {
    const [accountId, since] = [routeRow.account_id(row), routeRow.reported_until(row)];
    const next = nextDigestTime(notificationSettingsRow.settings(row), now);
    return [
      queueNotice({ accountId, kind: 'digest', taskAccountId: accountId, taskId: '', seq: since, now }, emailTarget),
      sql(
        'UPDATE notification_settings SET next_digest_at = ?, reported_until = ? WHERE account_id = ?',
        ...[next, now, accountId],
      ),
    ];
  });
}

export interface ClaimNoticesArgs {
  slots: number;
  leaseMs: number;
  /** Whether this process can send mail. Without it, nobody is notified by mail. */
  hasMail: boolean;
  /** The chat platforms that this process can send to. */
  platforms: readonly string[];
}

export interface ClaimNoticesResult {
  notices: ClaimedNotice[];
  /** Whether another claim may find more at once. */
  hasMore: boolean;
  /** Milliseconds until something is due; null for nothing. */
  nextInMs: number | null;
}

function* takeDue(now: number, { slots, leaseMs }: ClaimNoticesArgs): Script<ClaimedNotice[]> {
  if (slots <= 0) return [];
  const rows = yield* selectAll(
    `UPDATE notifications SET ready_at = ?, fence = fence + 1, tries = tries + 1 WHERE (account_id, id) IN
       (SELECT account_id, id FROM notifications WHERE ready_at <= ? AND target IS NOT NULL ORDER BY ready_at LIMIT ? FOR UPDATE SKIP LOCKED)
     RETURNING ${queued.columns}`,
    ...[now + leaseMs, now, slots],
  );
  return rows.map(queued.read).flatMap((notice) => (notice.target === null ? [] : [{ ...notice, target: notice.target }]));
}

/** Routes what was queued, then takes up to `slots` notifications to send. */
export const claimNotices: StoreOperation<ClaimNoticesArgs, ClaimNoticesResult> = {
  name: 'notifications.claim',
  access: 'exclusive',
  *run(args) {
    const now = clockRow.now(yield* selectOne('SELECT errand_now() AS now'));
    if (args.hasMail) yield* queueDigests(now);
    const found = yield* findUnrouted(now);
    const people = [...new Set(found.map(({ notice }) => notice.accountId))];
    const targets = yield* findSubscriptions(people, now);
    const chats = yield* findChats(people, args.platforms);
    yield found.flatMap((one) => {
      const { accountId } = one.notice;
      const reach = { subscriptions: targets.get(accountId) ?? [], chats: chats.get(accountId) ?? [], hasMail: args.hasMail };
      return route(one, reach, now);
    });
    const notices = yield* takeDue(now, args);
    const wait = yield* selectOne(
      `SELECT MIN(w.at) - errand_now() AS next_ms FROM (SELECT MIN(ready_at) AS at FROM notifications
         UNION ALL SELECT MIN(next_digest_at) AS at FROM notification_settings WHERE next_digest_at IS NOT NULL AND ? = 1) AS w`,
      args.hasMail ? 1 : 0,
    );
    return { notices, hasMore: found.length === perClaim || notices.length === args.slots, nextInMs: routeRow.next_ms(wait) };
  },
};

export interface NoticeOutcome {
  accountId: string;
  id: string;
  fence: number;
  /** Null if nothing more is to be done. */
  retryInMs: number | null;
}

/** Records the outcome of an attempt, unless another worker has taken the notification since. */
export const endNotice: StoreOperation<NoticeOutcome, null> = {
  name: 'notifications.end',
  access: 'write',
  keys: ({ id }) => [id],
  *run({ accountId, id, fence, retryInMs }) {
    const key = [accountId, id, fence];
    yield [
      retryInMs === null
        ? sql('DELETE FROM notifications WHERE account_id = ? AND id = ? AND fence = ?', ...key)
        : sql(
            'UPDATE notifications SET ready_at = errand_now() + ? WHERE account_id = ? AND id = ? AND fence = ?',
            ...[retryInMs, ...key],
          ),
    ];
    return null;
  },
};
