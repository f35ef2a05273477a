import { z } from 'zod';
import { deleteComment } from '../../../store/tasks/people/comments.ts';
import { defineOperation } from '../../contract/operation.ts';
import { commentFields, keyOfComment } from './comment-object.ts';

export const taskDeleteComment = defineOperation('POST', 'task.deleteComment', {
  summary: 'Permanently deletes a comment: one of the caller, or any on a task of the caller.',
  access: 'all_tasks',
  request: z.object(commentFields),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle(input, context) {
    await context.write(deleteComment, keyOfComment(input, context));
    return { id: input.comment_id, deleted: true as const };
  },
});
