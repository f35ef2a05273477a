import { z } from 'zod';
import { newId, randomBase62 } from '@errand/base/ids.ts';
import { originOf } from '../../rules/accounts/access.ts';
import { changeMetadata } from '../../rules/tasks/task-metadata.ts';
import { autoTitle } from '../../rules/tasks/title.ts';
import { getProject } from '../../store/projects/projects.ts';
import { createTask } from '../../store/tasks/tasks.ts';
import { budgetField, readBudget } from '../budgets/budget-field.ts';
import { defaultProfile, familyOf, readProfile } from './agent-profile.ts';
import { externalUserField, readExternalUser } from '../contract/external-user-field.ts';
import { metadataField, readMetadata } from './metadata-field.ts';
import { priorityField } from '../limits/priority-field.ts';
import { readTaskConfig } from './task-config-input.ts';
import { decisionTimeoutField, readDecisionTimeout } from '../contract/decision-timeout-field.ts';
import { optional, shareVisibility } from '../contract/fields.ts';
import { readLocale } from '../contract/locale-field.ts';
import { bringFiles, messageField, nameFiles, outputSchemaField, readMessageInput } from '../messages/message-input.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfProject } from '../contract/owned-project.ts';
import { presentReceipt, taskReceipt } from './task-object.ts';
import { readTitle } from './title-field.ts';
import { largeBodyBytes } from '../contract/limits.ts';

export const taskCreate = defineOperation('POST', 'task.create', {
  summary: 'Creates a task from a message and starts it in the background.',
  details: [
    'Unknown fields are ignored. Null counts as omitted, as does an empty title, locale, agent_profile, or project_id.',
    'A title is stored as one line: control characters and runs of whitespace become single spaces.',
    'The message and the running status are readable immediately.',
  ].join(' '),
  access: 'tasks',
  cost: 'create',
  bodyLimitBytes: largeBodyBytes,
  request: z.object({
    message: messageField,
    project_id: optional(z.string()).meta({ description: 'The project whose instruction applies.' }),
    locale: optional(z.string()).meta({
      description: 'Language of the answers; by default that of the account, or, if that is English, that of the message.',
    }),
    interactive_mode: optional(z.boolean()).meta({ description: 'Whether the agent may ask questions. Default: false.' }),
    hide_in_task_list: optional(z.boolean()).meta({ description: "Hides the task from the web application's list." }),
    share_visibility: optional(shareVisibility).meta({ description: 'Default: `private`.' }),
    agent_profile: optional(z.string()).meta({
      description: '`service-1.6` (default), `service-1.6-lite` or `service-1.6-max`.',
    }),
    title: optional(z.string()).meta({
      description: 'At most 200 characters; by default the beginning of the message, until the agent names the task.',
    }),
    structured_output_schema: outputSchemaField,
    metadata: metadataField,
    budget: budgetField,
    priority: priorityField,
    decision_timeout: decisionTimeoutField,
    external_user_id: externalUserField,
    memory: optional(z.boolean()).meta({
      description: 'Whether the task sees and changes memory; by default as its project says, otherwise true.',
    }),
  }),
  response: taskReceipt,
  async handle(input, context) {
    const { principal, now, families, family, urls } = context;
    const message = await readMessageInput(input.message, input.structured_output_schema, null, context);
    const project = input.project_id ? await context.read(getProject, keyOfProject(input.project_id, context)) : null;
    const taskConfig = await readTaskConfig(input.message, project, input.memory, context);
    const visibility = input.share_visibility ?? 'private';
    const title = readTitle(input.title);
    const task = await context.write(createTask, {
      accountId: principal.accountId,
      taskId: newId(now),
      now,
      taskType: project ? 'project' : 'standard',
      title: title ?? autoTitle(message.text || nameFiles(message)),
      hasAutoTitle: title === undefined,
      profile: readProfile(input.agent_profile || defaultProfile, { families, family, plan: principal.plan }),
      family: familyOf(input.agent_profile, context),
      metadata: changeMetadata({}, readMetadata(input.metadata)),
      externalUserId: readExternalUser(input.external_user_id, principal),
      locale: input.locale ? readLocale(input.locale) : principal.locale,
      isInteractive: input.interactive_mode ?? false,
      isHidden: input.hide_in_task_list ?? false,
      shareVisibility: visibility,
      shareId: visibility === 'private' ? null : randomBase62(22),
      ...originOf(principal),
      projectId: project?.id ?? null,
      agentId: null,
      message: await bringFiles(message, context),
      creditDemand: await context.credits.demandFor(principal.accountId, now),
      taskConfig: input.locale ? { ...taskConfig, hasOwnLocale: true } : taskConfig,
      budget: readBudget(input.budget, context),
      ...(input.priority && { priority: input.priority }),
      decisionTimeout: readDecisionTimeout(input.decision_timeout),
    });
    return presentReceipt(task, urls);
  },
});
