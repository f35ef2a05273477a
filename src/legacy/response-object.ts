import { z } from 'zod';
import type { TaskStatus } from '../rules/events/task-event.ts';
import { nameModel } from './legacy-profile.ts';
import type { CurrentTask } from './legacy-task-object.ts';
import { type Conversation, outputItem } from './legacy-task-output.ts';

const statusNames: Record<TaskStatus, 'running' | 'pending' | 'completed' | 'error'> = {
  running: 'running',
  waiting: 'pending',
  stopped: 'completed',
  error: 'error',
};

/** What the `metadata` of a response says of its task, beside what callers attached. */
export const ownMetadata: readonly string[] = ['task_title', 'task_url', 'credit_usage', 'share_url'];

/** A task in the format of the OpenAI SDK (docs/reference/wire-format.md#responses): its id is that of the task. */
export const responseObject = z.object({
  id: z.string(),
  object: z.literal('response'),
  status: z.enum(['running', 'pending', 'completed', 'error']),
  model: z.string(),
  createdAt: z.string(),
  created_at: z.int(),
  metadata: z.record(z.string(), z.string()),
  output: z.array(outputItem),
  error: z.object({ code: z.literal('server_error'), message: z.string() }).nullable(),
});

/** Why there is no response as it was asked for; null if there is one, or can still be. */
function explainFailure({ status }: CurrentTask, { error, missingResult }: Conversation): string | null {
  if (status === 'error') return error ?? 'The task failed.';
  return status === 'stopped' ? missingResult : null;
}

export function presentResponse(task: CurrentTask, conversation: Conversation): z.input<typeof responseObject> {
  const failure = explainFailure(task, conversation);
  return {
    id: task.id,
    object: 'response',
    status: failure === null ? statusNames[task.status] : 'error',
    model: nameModel(task.agent_profile),
    createdAt: String(task.created_at),
    created_at: task.created_at,
    metadata: {
      ...Object.fromEntries(Object.entries(task.metadata ?? {}).filter(([key]) => !ownMetadata.includes(key))),
      task_title: task.title,
      task_url: task.task_url,
      credit_usage: String(task.credit_usage ?? 0),
      ...(task.share_url !== undefined && { share_url: task.share_url }),
    },
    output: conversation.output,
    error: failure === null ? null : { code: 'server_error', message: failure },
  };
}
