import { z } from 'zod';
import { taskDelete } from '../api/tasks/task.delete.ts';
import { askCurrent, defineLegacy } from './legacy-operation.ts';
import { legacyTaskId } from './legacy-task-object.ts';

export const taskDeleteLegacy = defineLegacy('DELETE', '/v1/tasks/:task_id', {
  summary: 'Permanently deletes a task.',
  access: 'tasks',
  request: z.object({ task_id: legacyTaskId }),
  response: z.object({ id: z.string(), object: z.literal('task.deleted'), deleted: z.literal(true) }),
  async handle({ task_id }, context) {
    const { id } = await askCurrent<{ id: string }>(taskDelete, { task_id }, context);
    return { id, object: 'task.deleted' as const, deleted: true as const };
  },
});
