import { z } from 'zod';
import { handOverTask } from '../../../store/tasks/people/assignees.ts';
import { taskId } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { presentTask, taskObject } from '../task-object.ts';

export const taskHandOver = defineOperation('POST', 'task.handOver', {
  summary: 'Hands a task over to a member of the team, who acts in it from now on.',
  details: [
    'The task must be shared with the team (`share_visibility: team`). The member, its assignee, answers its questions, decides, sends text,',
    'stops it, and gets its notifications. The task stays in the account of its owner, which pays for it; the owner keeps all rights, and can',
    'take it back. It ends when the task is not shared any more, or one of the two leaves the team.',
  ].join(' '),
  access: 'all_tasks',
  request: z.object({
    task_id: taskId,
    account_id: z
      .string()
      .nullable()
      .meta({ description: 'Identifier of the member’s account; null takes the task back, or gives it back.' }),
  }),
  response: z.object({ task: taskObject }),
  async handle({ task_id: id, account_id: assignee }, context) {
    const { task } = await context.write(handOverTask, { ...keyOfTask(id, context), assignee, now: context.now });
    return { task: presentTask(task, context) };
  },
});
