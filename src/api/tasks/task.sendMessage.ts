import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { getTask, messageTask } from '../../store/tasks/tasks.ts';
import { signMessage } from '../../rules/tasks/task-command.ts';
import { deciderOf } from '../../rules/inbox/decider.ts';
import type { TaskConfig } from '../../rules/events/task-event.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import { budgetField, readBudget } from '../budgets/budget-field.ts';
import { readProfile } from './agent-profile.ts';
import { readChange } from './task-config-input.ts';
import { optional, taskId } from '../contract/fields.ts';
import { largeBodyBytes } from '../contract/limits.ts';
import { bringFiles, type MessageInput, messageField, outputSchemaField, readMessageInput } from '../messages/message-input.ts';
import { readPart } from '../messages/message-part.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { keyOfWork } from './people/work-key.ts';

const request = z.object({
  task_id: taskId,
  message: messageField,
  agent_profile: optional(z.string()).meta({ description: 'If omitted or empty, the task keeps its profile.' }),
  clear_connectors: optional(z.boolean()).meta({
    description: 'Removes all connectors from the task; cannot be combined with message.connectors.',
  }),
  structured_output_schema: outputSchemaField,
  budget: budgetField,
});

type Input = z.output<typeof request>;

/** A task token answers with text, and so does an assignee: everything else could use or change what is not of the task, or not theirs. */
function refuseMoreThanText({ task_id: _id, message: { content, ...extras }, ...more }: Input, who: string): void {
  const given = (fields: object) => Object.entries(fields).find(([, value]) => value !== undefined)?.[0];
  const [inMessage, beside] = [given(extras), given(more)];
  const hasFiles = typeof content !== 'string' && content.map(readPart).some(({ kind }) => kind !== 'text');
  const field = inMessage !== undefined ? `message.${inMessage}` : (beside ?? (hasFiles ? 'message.content' : null));
  if (field === null) return;
  throw new Fault('permission_denied', `${field}: ${who} sends text in message.content and nothing else`, { param: field });
}

/** Reads the task's project only if the message names skills, which the project could add. */
async function readFollowUp(message: MessageInput, key: TaskKey, context: Context): Promise<TaskConfig> {
  const namesSkills = [message.enable_skills, message.force_skills].some((ids) => ids !== undefined && ids.length > 0);
  const task = namesSkills ? await context.read(getTask, key) : null;
  return readChange(message, task?.projectId ?? null, context);
}

export const taskSendMessage = defineOperation('POST', 'task.sendMessage', {
  summary: 'Sends a message: input for a running task, the answer for a waiting one, a new turn for a stopped one.',
  access: 'task_answers',
  cost: 'create',
  bodyLimitBytes: largeBodyBytes,
  request,
  response: z.object({ task_id: z.string() }),
  async handle(input, context) {
    const { principal, families, family, now } = context;
    const key = await keyOfWork(input.task_id, context);
    if (principal.via.kind === 'task_token') refuseMoreThanText(input, 'a task token');
    if ((key.assignedToId ?? null) !== null) refuseMoreThanText(input, 'whoever the task is handed over to');
    if (input.clear_connectors && input.message.connectors?.length) {
      throw invalidField('clear_connectors', 'cannot be combined with message.connectors');
    }
    const message = await readMessageInput(input.message, input.structured_output_schema, key.taskId, context);
    const change = await readFollowUp(input.message, key, context);
    const taskConfig = input.clear_connectors ? { ...change, connectors: [] } : change;
    // Files are fetched only for existing tasks.
    if (message.files.length > 0) await context.read(getTask, key);
    const { taskId: id } = await context.write(messageTask, {
      ...key,
      now,
      decider: deciderOf(principal),
      message: signMessage(await bringFiles(message, context), key.accountId, principal.accountId),
      profile: input.agent_profile ? readProfile(input.agent_profile, { families, family, plan: principal.plan }) : null,
      creditDemand: await context.credits.demandFor(key.accountId, now),
      taskConfig,
      budget: readBudget(input.budget, context),
    });
    return { task_id: id };
  },
});
