import { z } from 'zod';
import { getReadableTask } from '../../store/tasks/tasks.ts';
import { taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';
import { presentTask, taskObject } from './task-object.ts';

export const taskDetail = defineOperation('GET', 'task.detail', {
  summary: "Returns a task's current status and metadata.",
  access: 'task_reads',
  request: z.object({ task_id: taskId }),
  response: z.object({ task: taskObject }),
  async handle({ task_id }, context) {
    return { task: presentTask(await context.read(getReadableTask, keyOfTask(task_id, context)), context) };
  },
});
