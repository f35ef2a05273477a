import { z } from 'zod';
import type { taskObject } from '../api/tasks/task-object.ts';
import type { TaskStatus } from '../rules/events/task-event.ts';
import { nameModel } from './legacy-profile.ts';
import { type Conversation, outputItem } from './legacy-task-output.ts';

export type CurrentTask = z.output<typeof taskObject>;

export const legacyStatuses = ['pending', 'running', 'completed', 'failed'] as const;
export type LegacyStatus = (typeof legacyStatuses)[number];

const statusNames: Record<TaskStatus, LegacyStatus> = {
  running: 'running',
  waiting: 'pending',
  stopped: 'completed',
  error: 'failed',
};

/** The current name of a v1 status. */
export function currentStatus(name: LegacyStatus): TaskStatus {
  return (Object.keys(statusNames) as TaskStatus[]).find((status) => statusNames[status] === name) ?? 'running';
}

/** A task as v1 represents it (docs/reference/wire-format.md#v1-tasks); times are Unix seconds as strings. */
export const legacyTask = z.object({
  id: z.string(),
  object: z.literal('task'),
  created_at: z.string(),
  updated_at: z.string(),
  status: z.enum(legacyStatuses),
  error: z.string().nullable(),
  incomplete_details: z.null(),
  instructions: z.null(),
  max_output_tokens: z.null(),
  model: z.string(),
  metadata: z.record(z.string(), z.string()),
  output: z.array(outputItem),
  credit_usage: z.int().optional(),
});

export function presentLegacyTask(task: CurrentTask, { output, error }: Conversation): z.input<typeof legacyTask> {
  return {
    id: task.id,
    object: 'task',
    created_at: String(task.created_at),
    updated_at: String(task.updated_at),
    status: statusNames[task.status],
    error: task.status === 'error' ? (error ?? 'The task failed.') : null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: nameModel(task.agent_profile),
    metadata: {
      task_title: task.title,
      task_url: task.task_url,
      ...(task.share_url !== undefined && { share_url: task.share_url }),
    },
    output,
    ...(task.credit_usage !== undefined && { credit_usage: task.credit_usage }),
  };
}

/** The response of POST and PUT. */
export const legacyReceipt = z.object({
  task_id: z.string(),
  task_title: z.string(),
  task_url: z.string(),
  share_url: z.string().optional(),
});

export type LegacyReceipt = z.output<typeof legacyReceipt>;

export const legacyTaskId = z.string().meta({ description: 'Identifier of the task.' });
