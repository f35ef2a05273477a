import { invalidField } from '@errand/base/fault.ts';
import { computedCodec, integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import {
  type Script,
  selectAll,
  selectFirst,
  type SqlValue,
  type Statement,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { readEvent } from './events.ts';
import { findReadable, lockReadable, type TaskKey } from './task-key.ts';

export const ratingValues = ['up', 'down'] as const;
export type RatingValue = (typeof ratingValues)[number];

/** Who rates: an account, or one person of its product. */
export interface Rater {
  authorId: string;
  externalUserId: string | null;
}

export interface SetRatingArgs extends TaskKey, Rater {
  /** The answer. */
  seq: number;
  /** Null takes the rating back. */
  rating: RatingValue | null;
  reason: string;
  id: string;
  now: number;
}

/** Sets, changes, or takes back what a person thinks of an answer of the agent: one rating a person and answer. */
export const setRating: StoreOperation<SetRatingArgs, null> = {
  name: 'ratings.set',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ seq, rating, reason, authorId, externalUserId, id, now, ...key }) {
    const { accountId, taskId } = yield* lockReadable(key);
    const row = yield* selectFirst(
      'SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND seq = ?',
      ...[accountId, taskId, seq],
    );
    if (!row || readEvent(row).event.type !== 'assistant_message') {
      throw invalidField('event_id', 'is not an answer of the agent in this task');
    }
    const rater: SqlValue[] = [accountId, taskId, seq, authorId, externalUserId ?? ''];
    yield [
      rating === null
        ? sql(
            'DELETE FROM ratings WHERE account_id = ? AND task_id = ? AND seq = ? AND author_id = ? AND external_user_id = ?',
            ...rater,
          )
        : sql(
            `INSERT INTO ratings (account_id, task_id, seq, author_id, external_user_id, id, rating, reason, rated_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, task_id, seq, author_id, external_user_id) DO UPDATE
             SET id = excluded.id, rating = excluded.rating, reason = excluded.reason, rated_at = excluded.rated_at`,
            ...rater,
            ...[id, rating, reason, now],
          ),
    ];
    return null;
  },
};

/** Part of emptying or deleting a task. */
export function deleteRatings({ accountId, taskId }: Pick<TaskKey, 'accountId' | 'taskId'>): Statement {
  return sql('DELETE FROM ratings WHERE account_id = ? AND task_id = ?', accountId, taskId);
}

/** A rating as it is listed. */
export interface Rating {
  id: string;
  taskId: string;
  title: string;
  seq: number;
  /** When the answer was given. */
  atMs: number;
  /** The answer. */
  text: string;
  rating: RatingValue;
  reason: string;
  authorId: string;
  email: string | null;
  externalUserId: string;
  ratedAtMs: number;
}

const ratingRow = tableCodec('ratings', {
  account_id: text,
  task_id: text,
  seq: integer,
  author_id: text,
  external_user_id: text,
  id: text,
  rating: oneOf<RatingValue>(),
  reason: text,
  rated_at: integer,
});
const own = ratingRow.pick('id, task_id, seq, author_id, external_user_id, rating, reason, rated_at');
const joined = computedCodec('ratings.list', { title: text, email: nullable(text) });

export interface ListRatingsArgs {
  /** Of the caller, with what restricts it. */
  key: Omit<TaskKey, 'taskId'>;
  /** Of one task; null for all tasks of the account. */
  taskId: string | null;
  rating: RatingValue | null;
  /** Exclusive: only older ones. */
  beforeId: string | null;
  limit: number;
}

/** Whose ratings are listed: everybody's on own tasks, the caller's own on a task that it reads by its team. */
function* findScope({ key, taskId }: ListRatingsArgs): Script<{ accountId: string; onlyAuthorId: string | null }> {
  const { accountId } = key;
  if (taskId === null) return { accountId, onlyAuthorId: null };
  const found = yield* findReadable({ ...key, taskId });
  return { accountId: found.accountId, onlyAuthorId: found.accountId === accountId ? null : accountId };
}

/** A page of ratings, the latest first. */
export const listRatings: StoreOperation<ListRatingsArgs, Rating[]> = {
  name: 'ratings.list',
  access: 'read',
  *run(args) {
    const { accountId, onlyAuthorId } = yield* findScope(args);
    const { onlyClientId = null, onlyUserId = null } = args.key;
    // An application or a person that knows of some tasks only sees its own ratings of them, and nobody's address.
    const isConfined = onlyClientId !== null || onlyUserId !== null;
    const conditions: [string, SqlValue][] = [
      ['r.account_id = ?', accountId],
      ['r.task_id = ?', args.taskId],
      ['r.author_id = ?', isConfined ? args.key.accountId : onlyAuthorId],
      ['r.external_user_id = ?', isConfined ? (onlyUserId ?? '') : null],
      ['r.rating = ?', args.rating],
      ['r.id < ?', args.beforeId],
      ['t.oauth_client_id = ?', onlyClientId],
      ['t.external_user_id = ?', onlyUserId],
    ];
    const asked = conditions.filter(([, value]) => value !== null);
    const rows = yield* selectAll(
      `SELECT ${own.columnsOf('r')}, t.title, a.email, e.at, e.type, e.body FROM ratings r
       JOIN tasks t ON t.account_id = r.account_id AND t.id = r.task_id
       JOIN events e ON e.account_id = r.account_id AND e.task_id = r.task_id AND e.seq = r.seq
       LEFT JOIN accounts a ON a.account_id = r.author_id
       WHERE ${asked.map(([condition]) => condition).join(' AND ')} ORDER BY r.id DESC LIMIT ?`,
      ...asked.map(([, value]) => value),
      args.limit,
    );
    return rows.map((row) => {
      const { atMs, event } = readEvent(row);
      const answer = event.type === 'assistant_message' ? event.text : '';
      return { ...own.read(row), title: joined.title(row), email: isConfined ? null : joined.email(row), atMs, text: answer };
    });
  },
};
