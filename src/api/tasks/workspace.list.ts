import { z } from 'zod';
import { getTask } from '../../store/tasks/tasks.ts';
import { taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

export const workspaceList = defineOperation('GET', 'workspace.list', {
  summary: "Lists the files in a task's workspace.",
  access: 'operator',
  request: z.object({ task_id: taskId }),
  response: z.object({ data: z.array(z.object({ path: z.string(), kind: z.enum(['file', 'folder']), bytes: z.int() })) }),
  async handle({ task_id }, context) {
    const task = await context.read(getTask, keyOfTask(task_id, context));
    return { data: await context.workspaceFiles.list(task.accountId, task.id) };
  },
});
