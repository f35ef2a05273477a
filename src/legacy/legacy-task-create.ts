import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { largeBodyBytes } from '../api/contract/limits.ts';
import type { Context } from '../api/contract/operation.ts';
import { taskCreate } from '../api/tasks/task.create.ts';
import { taskDetail } from '../api/tasks/task.detail.ts';
import { taskSendMessage } from '../api/tasks/task.sendMessage.ts';
import { missingField } from '@errand/base/fault.ts';
import { renameTaskField } from './field-names.ts';
import { legacyAttachment, toFilePart } from './legacy-attachment.ts';
import { askCurrent, defineLegacy } from './legacy-operation.ts';
import { readLegacyProfile } from './legacy-profile.ts';
import { type CurrentTask, type LegacyReceipt, legacyReceipt } from './legacy-task-object.ts';

const request = z.object({
  prompt: optional(z.string()),
  attachments: optional(z.array(legacyAttachment)),
  taskMode: optional(z.string()).meta({ description: 'Deprecated; ignored.' }),
  connectors: optional(z.array(z.string())),
  hideInTaskList: optional(z.boolean()),
  createShareableLink: optional(z.boolean()).meta({ description: 'Applies to new tasks; use PUT to change existing ones.' }),
  taskId: optional(z.string()).meta({ description: 'Continues this task.' }),
  agentProfile: optional(z.string()),
  locale: optional(z.string()),
  projectId: optional(z.string()),
  interactiveMode: optional(z.boolean()),
});

type Input = z.output<typeof request>;

function readMessage({ prompt, attachments = [], connectors }: Input): object {
  if (prompt === undefined || prompt.trim() === '') throw missingField('prompt');
  return { content: [{ type: 'text', text: prompt }, ...attachments.map(toFilePart)], ...(connectors && { connectors }) };
}

async function continueTask(taskId: string, input: Input, context: Context): Promise<LegacyReceipt> {
  const agent_profile = readLegacyProfile(input.agentProfile, context.families);
  await askCurrent(taskSendMessage, { task_id: taskId, message: readMessage(input), agent_profile }, context);
  const { task } = await askCurrent<{ task: CurrentTask }>(taskDetail, { task_id: taskId }, context);
  return {
    task_id: task.id,
    task_title: task.title,
    task_url: task.task_url,
    ...(task.share_url !== undefined && { share_url: task.share_url }),
  };
}

export const taskCreateLegacy = defineLegacy('POST', '/v1/tasks', {
  summary: 'Creates a task from a prompt, or continues one.',
  access: 'tasks',
  cost: 'create',
  bodyLimitBytes: largeBodyBytes,
  request,
  renameField: renameTaskField,
  response: legacyReceipt,
  async handle(input, context) {
    if (input.taskId) return continueTask(input.taskId, input, context);
    const creation = {
      message: readMessage(input),
      project_id: input.projectId,
      locale: input.locale,
      interactive_mode: input.interactiveMode,
      hide_in_task_list: input.hideInTaskList,
      share_visibility: input.createShareableLink ? 'public' : 'private',
      agent_profile: readLegacyProfile(input.agentProfile, context.families),
    };
    return askCurrent<LegacyReceipt>(taskCreate, creation, context);
  },
});
