import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { largeBodyBytes } from '../api/contract/limits.ts';
import type { Context } from '../api/contract/operation.ts';
import { taskCreate } from '../api/tasks/task.create.ts';
import { taskDelete } from '../api/tasks/task.delete.ts';
import { taskDetail } from '../api/tasks/task.detail.ts';
import { taskSendMessage } from '../api/tasks/task.sendMessage.ts';
import { invalidField } from '@errand/base/fault.ts';
import { type FieldRenaming, renameFaultField } from './field-names.ts';
import { askCurrent, atBothAddresses, defineLegacy, type LegacyOperation } from './legacy-operation.ts';
import { readLegacyProfile } from './legacy-profile.ts';
import { type ReadInput, readResponseInput, responseInput } from './response-input.ts';
import { checkOptions, keepMetadata, readSchema, responseOptions } from './response-options.ts';
import { presentResponse, responseObject } from './response-object.ts';
import type { CurrentTask } from './legacy-task-object.ts';
import { readConversation } from './legacy-task-output.ts';

const request = z.object({
  input: responseInput,
  model: optional(z.string()).meta({ description: 'A profile; any other name is ignored.' }),
  agentProfile: optional(z.string()),
  previousResponseId: optional(z.string()),
  taskId: optional(z.string()),
  taskMode: optional(z.string()).meta({ description: 'Deprecated; ignored.' }),
  projectId: optional(z.string()),
  createShareableLink: optional(z.boolean()),
  hideInTaskList: optional(z.boolean()),
  ...responseOptions,
});

type Input = z.output<typeof request>;

/** The SDK requires a `model`, which names a profile only by chance; `agent_profile` is what counts. */
function readProfile({ agentProfile, model }: Input, { families }: Context): string | undefined {
  if (agentProfile !== undefined) return readLegacyProfile(agentProfile, families);
  const name = readLegacyProfile(model?.replace(/-(agent|adaptive|chat)$/, ''), families);
  return families.some((family) => name?.startsWith(`${family}-1.6`)) ? name : undefined;
}

function readTaskId({ previousResponseId, taskId }: Input): string | undefined {
  if (previousResponseId && taskId) throw invalidField('task_id', 'cannot be combined with previous_response_id');
  return previousResponseId ?? taskId;
}

async function readResponse(task_id: string, context: Context) {
  const { task } = await askCurrent<{ task: CurrentTask }>(taskDetail, { task_id }, context);
  return presentResponse(task, await readConversation(task.id, { slidesFormat: 'html', hasResults: true }, context));
}

/** Names of `POST /responses` for those of v2. */
function renameFields({ parts }: ReadInput): FieldRenaming {
  return (field) => {
    const [, index = '', rest = ''] = /^message\.content\[(\d+)\](.*)$/.exec(field) ?? [];
    if (index !== '') return `${parts[Number(index)]?.field ?? 'input'}${rest}`;
    if (field.startsWith('message.content')) return 'input';
    return field.replace(/^structured_output_schema/, 'text.format.schema').replace(/^message\./, '');
  };
}

/** A request writes once: one that continues a task writes the message, and leaves its metadata as it is. */
async function readOwnMetadata(task_id: string, context: Context): Promise<Readonly<Record<string, string>>> {
  return (await askCurrent<{ task: CurrentTask }>(taskDetail, { task_id }, context)).task.metadata ?? {};
}

async function startTask(input: Input, read: ReadInput, context: Context): Promise<string> {
  const instructions = [input.instructions ?? '', ...read.instructions].filter((text) => text.trim() !== '').join('\n\n');
  const asked = {
    message: { content: read.parts.map(({ part }) => part), instructions },
    agent_profile: readProfile(input, context),
    structured_output_schema: readSchema(input),
  };
  const task_id = readTaskId(input);
  if (task_id) {
    if (input.metadata !== undefined) keepMetadata(input, await readOwnMetadata(task_id, context), context);
    await askCurrent(taskSendMessage, { task_id, ...asked }, context);
    return task_id;
  }
  const creation = {
    ...asked,
    project_id: input.projectId,
    metadata: keepMetadata(input, null, context),
    hide_in_task_list: input.hideInTaskList,
    share_visibility: input.createShareableLink ? 'public' : 'private',
  };
  return (await askCurrent<{ task_id: string }>(taskCreate, creation, context)).task_id;
}

const response_id = z.string().meta({ description: "Identifier of the response, the same as the task's." });

const createResponse = defineLegacy('POST', '/v1/responses', {
  summary: 'Creates or continues a task, in the format of the OpenAI SDK.',
  access: 'tasks',
  cost: 'create',
  bodyLimitBytes: largeBodyBytes,
  request,
  response: responseObject,
  async handle(input, context) {
    checkOptions(input, context);
    const read = readResponseInput(input.input);
    const taskId = await startTask(input, read, context).catch((error: unknown) => {
      throw renameFaultField(error, renameFields(read));
    });
    return readResponse(taskId, context);
  },
});

const getResponse = defineLegacy('GET', '/v1/responses/:response_id', {
  summary: "Returns a task's status and messages, in the format of the OpenAI SDK.",
  access: 'tasks',
  request: z.object({ response_id }),
  response: responseObject,
  handle: (input, context) => readResponse(input.response_id, context),
});

const removeResponse = defineLegacy('DELETE', '/v1/responses/:response_id', {
  summary: 'Permanently deletes a task.',
  access: 'tasks',
  request: z.object({ response_id }),
  response: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
  async handle(input, context) {
    const { id } = await askCurrent<{ id: string }>(taskDelete, { task_id: input.response_id }, context);
    return { id, object: 'response' as const, deleted: true as const };
  },
});

export const responseOperations: LegacyOperation[] = atBothAddresses([createResponse, getResponse, removeResponse]);
