import { z } from 'zod';
import { clearTask } from '../../store/tasks/clear-task.ts';
import { taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

export const taskClear = defineOperation('POST', 'task.clear', {
  summary: 'Empties the main task of an agent: its messages, files, workspace, and subtasks. Its id and settings stay.',
  access: 'tasks',
  request: z.object({ task_id: taskId }),
  response: z.object({ id: z.string(), cleared: z.literal(true) }),
  async handle({ task_id }, context) {
    const key = keyOfTask(task_id, context);
    const { taskId: id } = await context.write(clearTask, { ...key, now: context.now });
    await context.workspaceFiles.clear(key.accountId, id);
    return { id, cleared: true as const };
  },
});
