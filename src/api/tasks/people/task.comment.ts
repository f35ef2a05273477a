import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { addComment } from '../../../store/tasks/people/comments.ts';
import { getReadableTask } from '../../../store/tasks/tasks.ts';
import { optional, taskId } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { readEventSeq } from '../../events/event-position.ts';
import { commentObject, commentText, presentComment, readCommentText } from './comment-object.ts';

export const taskComment = defineOperation('POST', 'task.comment', {
  summary: 'Writes a comment on a task, for the people who can read it. The agent never sees it.',
  details: [
    "The owner of a task can comment on it, and so can the members of the owner's team while it is shared with them; at most 1,000 comments a task,",
    'of which each member can write 200. Comments are not part of the conversation, and nobody sees them by a public link.',
  ].join(' '),
  access: 'all_tasks',
  request: z.object({
    task_id: taskId,
    text: commentText,
    event_id: optional(z.string()).meta({
      description: 'The `user_message` or `assistant_message` that the comment is about; if omitted, it is about the task.',
    }),
  }),
  response: z.object({ comment: commentObject }),
  async handle({ task_id: id, text: given, event_id: eventId }, context) {
    const { principal, now, read, write } = context;
    const text = readCommentText(given);
    const key = keyOfTask(id, context);
    const seq = eventId === undefined ? null : readEventSeq('event_id', await read(getReadableTask, key), eventId);
    const author = { authorId: principal.accountId, commentId: newId(now) };
    const { comment } = await write(addComment, { ...key, ...author, text, seq, now });
    return { comment: presentComment(comment) };
  },
});
