import { z } from 'zod';
import { getTask } from '../../../store/tasks/tasks.ts';
import { taskId } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { channelOf } from '../browser/browser-feed.ts';

export const taskListPreviews = defineOperation('GET', 'task.listPreviews', {
  summary: "Lists the servers that run in a task's sandbox, with URLs at which its owner sees them.",
  details: [
    'A URL shows what the server answers as long as the server runs and a worker holds the task. It is a credential of its own, works for six',
    'to twelve hours, and stays the same for six. The list is empty while the agent does not work on the task.',
  ].join(' '),
  access: 'browser',
  request: z.object({ task_id: taskId }),
  response: z.object({
    data: z.array(z.object({ port: z.number(), url: z.string(), expires_at: z.number() })),
  }),
  async handle({ task_id: id }, context) {
    const channel = channelOf(context);
    const key = keyOfTask(id, context);
    const { status } = await context.read(getTask, key);
    if (status !== 'running') return { data: [] };
    const { findServedPorts } = await import('./served-ports.ts');
    const ports = await findServedPorts({
      channel,
      clock: context.intake.clock,
      taskId: key.taskId,
      signal: context.outwardSignal,
    });
    return {
      data: ports.map((port) => {
        const { url, endsAtMs } = context.urls.preview({ taskId: key.taskId, port });
        return { port, url, expires_at: Math.floor(endsAtMs / 1000) };
      }),
    };
  },
});
