import { Fault, invalidField } from '@errand/base/fault.ts';
import { afterEveryId } from '@errand/base/ids.ts';
import { listMentions } from '../../../rules/messages/mentions.ts';
import { computedCodec, integer, nullable, tableCodec, text } from '../../db/row-codec.ts';
import { countRow } from '../../db/shared-rows.ts';
import {
  findRow,
  insertRow,
  marks,
  type Row,
  type Script,
  selectAll,
  selectOne,
  sql,
  type StoreOperation,
} from '../../db/store-operation.ts';
import { readEvent } from '../../events/events.ts';
import { findReadable, lockReadable, type TaskKey } from '../../events/task-key.ts';
import { areTeammates } from '../../db/teammates.ts';
import { announceNotices, queueNotice } from '../../notifications/notification-queue.ts';

/** Comments of a task. */
const mostComments = 1000;

/** Comments of one member on a task of somebody else, so that no member alone can leave no space for the others. */
const mostOfMember = 200;

const commentRow = tableCodec('comments', {
  account_id: text,
  task_id: text,
  id: text,
  seq: nullable(integer),
  author_id: text,
  text,
  created_at: integer,
  edited_at: nullable(integer),
});
const own = commentRow.pick('task_id, id, seq, author_id, text, created_at, edited_at');
const joined = computedCodec('comments.list', { email: nullable(text), at: nullable(integer) });

/** What a person wrote about a task. */
export interface Comment {
  taskId: string;
  id: string;
  /** The message that it is about; null for the whole task. */
  seq: number | null;
  /** When that message was logged. */
  seqAtMs: number | null;
  authorId: string;
  /** Null for somebody who is not in the task's team any more. */
  email: string | null;
  text: string;
  createdAtMs: number;
  /** Null for one as it was first written. */
  editedAtMs: number | null;
}

/** The key of a comment, for whoever may read its task. */
export interface CommentKey extends TaskKey {
  commentId: string;
}

export function commentNotFound(): Fault {
  return new Fault('not_found', 'comment not found');
}

/** Comments with their authors; the condition is on `c`. */
function selectComments(where: string): string {
  return `SELECT ${own.columnsOf('c')}, a.email, e.at FROM comments c
    LEFT JOIN tasks t ON t.account_id = c.account_id AND t.id = c.task_id
    LEFT JOIN accounts a ON a.account_id = c.author_id AND (c.author_id = c.account_id OR ${areTeammates('c.author_id', 't')})
    LEFT JOIN events e ON e.account_id = c.account_id AND e.task_id = c.task_id AND e.seq = c.seq
    WHERE c.account_id = ? AND c.task_id = ? AND ${where}`;
}

function readComment(row: Row): Comment {
  return { ...own.read(row), email: joined.email(row), seqAtMs: joined.at(row) };
}

function* readOne({ accountId, taskId, commentId }: CommentKey): Script<Comment> {
  return readComment(yield* selectOne(selectComments('c.id = ?'), accountId, taskId, commentId));
}

/** Those of these addresses whose accounts may read the task, without the author. */
function* findMentioned({ accountId, taskId }: TaskKey, addresses: readonly string[], authorId: string): Script<string[]> {
  if (addresses.length === 0) return [];
  const rows = yield* selectAll(
    `SELECT a.account_id FROM accounts a JOIN tasks t ON t.account_id = ? AND t.id = ?
     WHERE a.email IN (${marks(addresses.length)}) AND a.account_id <> ?
       AND (a.account_id = t.account_id OR (t.share_visibility = 'team' AND ${areTeammates('a.account_id', 't')}))`,
    ...[accountId, taskId, ...addresses, authorId],
  );
  return rows.map((row) => commentRow.account_id(row));
}

/** Notifies those whom the new text mentions and the old one did not, each once; returns whether there are any. */
function* notifyMentioned(
  { accountId, taskId, commentId }: CommentKey,
  { words, before, authorId, createdAtMs: now }: { words: string; before: string; authorId: string; createdAtMs: number },
): Script<boolean> {
  const known = listMentions(before);
  const added = listMentions(words).filter((address) => !known.includes(address));
  const people = yield* findMentioned({ accountId, taskId }, added, authorId);
  if (people.length === 0) return false;
  const about = { kind: 'assigned', taskAccountId: accountId, taskId, seq: 0, commentId, now } as const;
  yield people.map((person) => queueNotice({ ...about, accountId: person }));
  return true;
}

/** A comment cannot be about what nobody has said. */
function* checkMessage({ accountId, taskId }: TaskKey, seq: number): Script<void> {
  const row = yield* findRow('seq, at, type, body', 'events', { account_id: accountId, task_id: taskId, seq });
  const type = row && readEvent(row).event.type;
  if (type !== 'assistant_message' && type !== 'user_message') throw invalidField('event_id', 'is not a message of this task');
}

/** Throws if the task has as many comments as it can have, of everybody or of this author. */
function* checkSpace({ accountId, taskId }: TaskKey, authorId: string): Script<void> {
  const count = (condition: string, ...params: string[]) =>
    selectOne(
      `SELECT COUNT(*) AS count FROM comments WHERE account_id = ? AND task_id = ? ${condition}`,
      accountId,
      taskId,
      ...params,
    );
  if (countRow.count(yield* count('')) >= mostComments) {
    throw new Fault('resource_exhausted', `A task can have ${mostComments} comments.`);
  }
  if (authorId === accountId || countRow.count(yield* count('AND author_id = ?', authorId)) < mostOfMember) return;
  throw new Fault('resource_exhausted', `A member can write ${mostOfMember} comments on a task of somebody else.`);
}

export interface AddCommentArgs extends CommentKey {
  authorId: string;
  text: string;
  /** The message that it is about; null for the whole task. */
  seq: number | null;
  now: number;
}

/** What was written, and whether somebody is notified of it. */
export interface WrittenComment {
  comment: Comment;
  isNotified: boolean;
}

/** Writes a comment on a task that the caller may read. */
export const addComment: StoreOperation<AddCommentArgs, WrittenComment> = {
  name: 'comments.add',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ commentId, authorId, text: words, seq, now, ...caller }) {
    const { accountId, taskId } = yield* lockReadable(caller);
    const key = { accountId, taskId, commentId };
    if (seq !== null) yield* checkMessage(key, seq);
    yield* checkSpace(key, authorId);
    const author = { author_id: authorId, text: words, created_at: now, edited_at: null };
    yield [insertRow('comments', { account_id: accountId, task_id: taskId, id: commentId, seq, ...author })];
    const isNotified = yield* notifyMentioned(key, { words, before: '', authorId, createdAtMs: now });
    return { comment: yield* readOne(key), isNotified };
  },
  announce: (_, { isNotified }) => announceNotices(isNotified),
};

interface FoundComment {
  /** With the account of the task. */
  key: CommentKey;
  authorId: string;
  text: string;
  createdAtMs: number;
  isEdited: boolean;
}

/** The comment, on a task that the caller may read. */
function* findComment({ commentId, ...caller }: CommentKey): Script<FoundComment> {
  const { accountId, taskId } = yield* lockReadable(caller);
  const key = { account_id: accountId, task_id: taskId, id: commentId };
  const row = yield* findRow('author_id, text, created_at, edited_at', 'comments', key);
  if (!row) throw commentNotFound();
  const [authorId, words] = [commentRow.author_id(row), commentRow.text(row)];
  const [createdAtMs, isEdited] = [commentRow.created_at(row), commentRow.edited_at(row) !== null];
  return { key: { accountId, taskId, commentId }, authorId, text: words, createdAtMs, isEdited };
}

/** Changes a comment of the caller. */
export const updateComment: StoreOperation<CommentKey & { text: string; now: number }, WrittenComment> = {
  name: 'comments.update',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ text: words, now, ...caller }) {
    const { key, authorId, text: before, createdAtMs, isEdited } = yield* findComment(caller);
    if (authorId !== caller.accountId) throw new Fault('permission_denied', 'Only its author can change a comment.');
    if (words === before) return { comment: yield* readOne(key), isNotified: false };
    yield [
      sql(
        'UPDATE comments SET text = ?, edited_at = ? WHERE account_id = ? AND task_id = ? AND id = ?',
        ...[words, now, key.accountId, key.taskId, key.commentId],
      ),
    ];
    // Of a further edit nobody is notified: taking a mention out and putting it back would notify the person each time.
    const isNotified = !isEdited && (yield* notifyMentioned(key, { words, before, authorId, createdAtMs }));
    return { comment: yield* readOne(key), isNotified };
  },
  announce: (_, { isNotified }) => announceNotices(isNotified),
};

/** Deletes a comment of the caller, or one on a task of the caller. */
export const deleteComment: StoreOperation<CommentKey, null> = {
  name: 'comments.delete',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(caller) {
    const { key, authorId } = yield* findComment(caller);
    if (![authorId, key.accountId].includes(caller.accountId)) {
      throw new Fault('permission_denied', 'Only its author, or the owner of the task, can delete a comment.');
    }
    const { accountId, taskId, commentId } = key;
    yield [
      sql('DELETE FROM comments WHERE account_id = ? AND task_id = ? AND id = ?', accountId, taskId, commentId),
      sql('DELETE FROM notifications WHERE task_account_id = ? AND task_id = ? AND comment_id = ?', accountId, taskId, commentId),
    ];
    return null;
  },
};

export interface ListCommentsArgs extends TaskKey {
  /** Exclusive: only older ones. */
  beforeId: string | null;
  limit: number;
}

/** A page of comments on a task that the caller may read, the latest first. */
export const listComments: StoreOperation<ListCommentsArgs, Comment[]> = {
  name: 'comments.list',
  access: 'read',
  *run({ beforeId, limit, ...caller }) {
    const key = yield* findReadable(caller);
    const statement = `${selectComments('c.id < ?')} ORDER BY c.id DESC LIMIT ?`;
    return (yield* selectAll(statement, key.accountId, key.taskId, beforeId ?? afterEveryId, limit)).map(readComment);
  },
};
