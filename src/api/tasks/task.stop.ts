import { z } from 'zod';
import { deciderOf } from '../../rules/inbox/decider.ts';
import { stopTask } from '../../store/tasks/tasks.ts';
import { taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWork } from './people/work-key.ts';

export const taskStop = defineOperation('POST', 'task.stop', {
  summary: 'Stops a running or waiting task; has no effect on any other.',
  access: 'tasks',
  request: z.object({ task_id: taskId }),
  response: z.object({}),
  async handle({ task_id }, context) {
    await context.write(stopTask, {
      ...(await keyOfWork(task_id, context)),
      now: context.now,
      decider: deciderOf(context.principal),
    });
    return {};
  },
});
