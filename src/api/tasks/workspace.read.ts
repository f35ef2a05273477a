import { z } from 'zod';
import { getTask } from '../../store/tasks/tasks.ts';
import { requiredText, taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

export const workspaceRead = defineOperation('GET', 'workspace.read', {
  summary: "Reads a file from a task's workspace.",
  access: 'operator',
  request: z.object({ task_id: taskId, path: requiredText('Path of the file, relative to the workspace.') }),
  response: z.object({ path: z.string(), content: z.string().meta({ description: "The file's bytes, Base64-encoded." }) }),
  async handle({ task_id, path }, context) {
    const task = await context.read(getTask, keyOfTask(task_id, context));
    const bytes = await context.workspaceFiles.read(task.accountId, task.id, path);
    return { path, content: bytes.toString('base64') };
  },
});
