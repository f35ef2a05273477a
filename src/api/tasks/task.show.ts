import { z } from 'zod';
import type { TaskConfig, UserMessage } from '../../rules/events/task-event.ts';
import { readLog } from '../../store/events/events.ts';
import { listSubtasks } from '../../store/tasks/subtasks.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import type { TaskRecord } from '../../store/tasks/task-record.ts';
import { readTaskRelations } from '../../store/tasks/task-relations.ts';
import { getReadableTask } from '../../store/tasks/tasks.ts';
import { nameProfile } from './agent-profile.ts';
import { presentStanding, standing } from './task-object.ts';
import { taskId } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

/** More than a task can create. */
const mostSubtasks = 100;
/** The first message is at the beginning of the log, after the task config. */
const firstEvents = 4;

function presentContent({ text, attachments = [], awaited = [] }: UserMessage): string | Record<string, string>[] {
  const brought = [...attachments, ...awaited];
  if (brought.length === 0) return text;
  const files = brought.map(({ kind, filename }) => {
    return { type: kind === 'voice' ? 'voice' : 'file', file_id: '<id of file.upload>', filename };
  });
  return text === '' ? files : [{ type: 'text', text }, ...files];
}

function presentMessage(message: UserMessage, { connectors, skills, forcedSkills }: TaskConfig): Record<string, unknown> {
  return {
    content: presentContent(message),
    ...(connectors && { connectors }),
    ...(skills && { enable_skills: skills }),
    ...(forcedSkills && { force_skills: forcedSkills }),
    ...(message.references && { task_references: message.references }),
  };
}

/** The task.create body that recreates the task; null for one created otherwise. */
async function readRequest(task: TaskRecord, { read, family }: Context): Promise<Record<string, unknown> | null> {
  const log = await read(readLog, { accountId: task.accountId, taskId: task.id, afterSeq: 0, limit: firstEvents });
  const events = log.map(({ event }) => event);
  const message = events.find((event) => event.type === 'user_message');
  if (!message || task.taskType === 'agent_main') return null;
  const taskConfig = events.find((event) => event.type === 'equipped') ?? {};
  return {
    message: presentMessage(message, taskConfig),
    ...(task.projectId !== null && { project_id: task.projectId }),
    locale: task.locale,
    ...(task.isInteractive && { interactive_mode: true }),
    ...(task.isHidden && { hide_in_task_list: true }),
    ...(task.shareVisibility !== 'private' && { share_visibility: task.shareVisibility }),
    agent_profile: nameProfile(task.profile, task.family ?? family),
    title: task.title,
    ...(message.outputSchema && { structured_output_schema: message.outputSchema }),
  };
}

function isOwn(task: TaskRecord & { key: TaskKey }, { principal }: Context): boolean {
  return task.accountId === principal.accountId;
}

export const taskShow = defineOperation('GET', 'task.show', {
  summary: 'Returns what the task page shows beyond task.detail: ownership, creation settings, and subtasks.',
  access: 'browser',
  request: z.object({ task_id: taskId }),
  response: z.object({
    is_owner: z.boolean().meta({ description: 'False if the caller only has read access through a team.' }),
    owner: z.object({ email: z.string(), team: z.string().nullable(), team_id: z.string().nullable() }),
    is_queued: z.boolean().meta({ description: 'Whether the task is waiting for a worker.' }),
    subtasks: z
      .array(z.object({ id: z.string(), title: z.string(), ...standing }))
      .meta({ description: 'Subtasks the task has created; visible to its owner only.' }),
    request: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'A task.create body that creates the same task again; visible to its owner only.' }),
  }),
  async handle({ task_id: id }, context) {
    const task = await context.read(getReadableTask, keyOfTask(id, context));
    const { accountId, id: parentId } = task;
    const [{ ownerEmail, team, isQueued }, subtasks] = await Promise.all([
      context.read(readTaskRelations, task.key),
      isOwn(task, context) ? context.read(listSubtasks, { accountId, parentId, limit: mostSubtasks }) : [],
    ]);
    return {
      is_owner: isOwn(task, context),
      owner: { email: ownerEmail, team: team?.name ?? null, team_id: team?.id ?? null },
      is_queued: isQueued,
      subtasks: subtasks.map((one) => ({ id: one.id, title: one.title, ...presentStanding(one) })),
      request: isOwn(task, context) ? await readRequest(task, context) : null,
    };
  },
});
