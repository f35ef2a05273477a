import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { eventId, isId } from '@errand/base/ids.ts';
import { type Comment, type CommentKey, commentNotFound } from '../../../store/tasks/people/comments.ts';
import { requiredText, taskId } from '../../contract/fields.ts';
import type { Context } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { isLongerThan } from '../../contract/text-length.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

const maxCommentLength = 4000;

/** What a person wrote about a task (docs/build/comments.md). */
export const commentObject = z
  .object({
    id: z.string(),
    task_id: z.string(),
    event_id: z.string().optional().meta({ description: 'The message that it is about; absent for one about the whole task.' }),
    text: z.string(),
    user_id: z.string().meta({ description: 'The account of its author.' }),
    email: z.string().optional().meta({ description: 'Absent for an author who is not in the team any more.' }),
    created_at: unixTime,
    edited_at: unixTime.optional().meta({ description: 'When it was last changed; absent for one as it was first written.' }),
  })
  .meta({ id: 'Comment' });

export function presentComment(comment: Comment): z.input<typeof commentObject> {
  const { id, taskId: ofTask, seq, seqAtMs, text, authorId, email, createdAtMs, editedAtMs } = comment;
  return {
    ...{ id, task_id: ofTask, text, user_id: authorId },
    ...(seq !== null && seqAtMs !== null && { event_id: eventId(ofTask, seq, seqAtMs) }),
    ...(email !== null && { email }),
    created_at: toUnixTime(createdAtMs),
    ...(editedAtMs !== null && { edited_at: toUnixTime(editedAtMs) }),
  };
}

export const commentText = requiredText(
  `At most ${maxCommentLength} characters. \`@ann@example.com\` mentions a member of the team, who is notified.`,
);

/** The text as it is stored; 400 for one that is empty or too long. */
export function readCommentText(given: string): string {
  const text = given.toWellFormed().replaceAll('\0', '\ufffd').trim();
  if (text === '') throw invalidField('text', 'must not be empty');
  if (isLongerThan(text, maxCommentLength)) throw invalidField('text', `must have at most ${maxCommentLength} characters`);
  return text;
}

/** The fields that name a comment. */
export const commentFields = { task_id: taskId, comment_id: requiredText('Identifier of the comment.') };

/** The key of a comment; 404 for a text that is no id. */
export function keyOfComment(input: { task_id: string; comment_id: string }, context: Context): CommentKey {
  const key = keyOfTask(input.task_id, context);
  if (!isId(input.comment_id)) throw commentNotFound();
  return { ...key, commentId: input.comment_id };
}
