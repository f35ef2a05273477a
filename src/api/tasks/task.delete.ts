import { z } from 'zod';
import { deleteTask } from '../../store/tasks/tasks.ts';
import { taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

export const taskDelete = defineOperation('POST', 'task.delete', {
  summary: 'Permanently deletes a task and all its events, stopping it if it is running.',
  access: 'tasks',
  request: z.object({ task_id: taskId }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ task_id }, context) {
    const { taskId: id } = await context.write(deleteTask, keyOfTask(task_id, context));
    return { id, deleted: true as const };
  },
});
