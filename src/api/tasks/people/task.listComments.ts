import { z } from 'zod';
import { listComments } from '../../../store/tasks/people/comments.ts';
import { cursor, pageEnd, queryInteger, taskId } from '../../contract/fields.ts';
import { readListPage } from '../../contract/list-page.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { commentObject, presentComment } from './comment-object.ts';

export const taskListComments = defineOperation('GET', 'task.listComments', {
  summary: 'Lists the comments on a task, the latest first.',
  access: 'all_tasks',
  request: z.object({ task_id: taskId, limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(commentObject), ...pageEnd }),
  async handle({ task_id: id, limit, cursor: from }, context) {
    const key = keyOfTask(id, context);
    const { items, end } = await readListPage(
      { query: ['task.listComments', key.accountId, key.taskId], cursor: from, limit },
      (beforeId, count) => context.read(listComments, { ...key, beforeId, limit: count }),
      ({ id: position }) => position,
    );
    return { data: items.map(presentComment), ...end };
  },
});
