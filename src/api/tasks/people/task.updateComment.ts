import { z } from 'zod';
import { updateComment } from '../../../store/tasks/people/comments.ts';
import { defineOperation } from '../../contract/operation.ts';
import { commentFields, commentObject, commentText, keyOfComment, presentComment, readCommentText } from './comment-object.ts';

export const taskUpdateComment = defineOperation('POST', 'task.updateComment', {
  summary: 'Changes the text of a comment of the caller, and marks it as edited.',
  details: 'The first edit notifies members whom the new text mentions and the old one did not; further edits notify nobody.',
  access: 'all_tasks',
  request: z.object({ ...commentFields, text: commentText }),
  response: z.object({ comment: commentObject }),
  async handle(input, context) {
    const text = readCommentText(input.text);
    const { comment } = await context.write(updateComment, { ...keyOfComment(input, context), text, now: context.now });
    return { comment: presentComment(comment) };
  },
});
