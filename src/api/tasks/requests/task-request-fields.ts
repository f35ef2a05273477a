import { z } from 'zod';
import { changeMetadata } from '../../../rules/tasks/task-metadata.ts';
import type { TaskRequest } from '../../../rules/schedules/task-request.ts';
import { getProject } from '../../../store/projects/projects.ts';
import {
  decisionTimeoutChange,
  decisionTimeoutField,
  presentDecisionTimeout,
  readDecisionTimeout,
  shownDecisionTimeout,
} from '../../contract/decision-timeout-field.ts';
import { optional } from '../../contract/fields.ts';
import { readLocale } from '../../contract/locale-field.ts';
import type { Context } from '../../contract/operation.ts';
import { keyOfProject } from '../../contract/owned-project.ts';
import {
  bringFiles,
  type MessageInput,
  messageField,
  outputSchemaField,
  readMessageInput,
  readOutputSchema,
} from '../../messages/message-input.ts';
import { budgetChange, budgetField, presentBudget, readBudget, shownBudget } from '../../budgets/budget-field.ts';
import { familyOf, readProfile } from '../agent-profile.ts';
import { metadataField, readMetadata, shownMetadata } from '../metadata-field.ts';
import { presentPriority, priorityChange, priorityField, shownPriority } from '../../limits/priority-field.ts';
import { readTaskConfig } from '../task-config-input.ts';

/** A message sent as its text alone becomes one with this content. */
export function wrapMessage(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('message' in input) || typeof input.message !== 'string') return input;
  return { ...input, message: { content: input.message } };
}

const about = {
  project_id: 'The project whose instruction applies.',
  agent_profile: 'As in task.create; a free account always gets the lightweight one.',
  locale: 'Language of the answers; by default that of the account, or, if that is English, that of the message.',
  interactive_mode: 'Whether the agent may ask questions. Default: false.',
};

/** The settings of a later task, in a request that creates something that starts tasks. */
export const taskSettingFields = {
  project_id: optional(z.string()).meta({ description: about.project_id }),
  agent_profile: optional(z.string()).meta({ description: about.agent_profile }),
  locale: optional(z.string()).meta({ description: about.locale }),
  interactive_mode: optional(z.boolean()).meta({ description: about.interactive_mode }),
  structured_output_schema: outputSchemaField,
  metadata: metadataField,
  budget: budgetField,
  priority: priorityField,
  decision_timeout: decisionTimeoutField,
};

/** The fields of a request that starts a task: its message and its settings. */
export const taskRequestFields = { message: messageField, ...taskSettingFields };

const everyField = z.object(taskRequestFields);
export type TaskRequestInput = z.output<typeof everyField>;

/** The fields of a request that changes a stored task request. Omitted fields stay; null removes those that are optional. */
export const taskRequestChanges = {
  message: optional(messageField),
  project_id: z.string().nullish().meta({ description: about.project_id }),
  agent_profile: z.string().nullish().meta({ description: about.agent_profile }),
  locale: z.string().nullish().meta({ description: about.locale }),
  interactive_mode: optional(z.boolean()).meta({ description: about.interactive_mode }),
  structured_output_schema: outputSchemaField,
  metadata: metadataField.meta({ description: 'A key that is null is deleted.' }),
  budget: budgetChange,
  priority: priorityChange,
  decision_timeout: decisionTimeoutChange,
};

export type TaskRequestChange = {
  [Field in keyof typeof taskRequestChanges]?: z.output<(typeof taskRequestChanges)[Field]>;
};

/** A stored task request in a response. */
export const shownTaskRequest = {
  message: z.object({
    content: z.string(),
    attachments: z
      .array(z.object({ filename: z.string(), content_type: z.string(), size_bytes: z.int() }))
      .optional()
      .meta({ description: 'The files of the message; absent without any.' }),
    connectors: z.array(z.string()).optional(),
    enable_skills: z.array(z.string()).optional(),
    force_skills: z.array(z.string()).optional(),
    task_references: z.array(z.string()).optional(),
    instructions: z.string().optional(),
  }),
  project_id: z.string().optional(),
  agent_profile: z.string().optional(),
  locale: z.string().optional(),
  interactive_mode: z.boolean(),
  structured_output_schema: z.record(z.string(), z.unknown()).optional(),
  metadata: shownMetadata,
  budget: shownBudget,
  priority: shownPriority,
  decision_timeout: shownDecisionTimeout,
};

/** The message, with its files stored. */
async function readMessage(input: MessageInput, context: Context) {
  const checked = await readMessageInput(input, null, null, context);
  const { connectors, enable_skills, force_skills, instructions } = input;
  return {
    message: await bringFiles(checked, context, 'later'),
    names: { connectors, enable_skills, force_skills, instructions },
  };
}

/** 400 or 404 for what could not start a task now. */
async function checkRequest(request: TaskRequest, context: Context): Promise<TaskRequest> {
  const { principal, families } = context;
  const { profile, family, projectId } = request;
  if (profile !== null) readProfile(profile, { families, family, plan: principal.plan });
  const project = projectId === null ? null : await context.read(getProject, keyOfProject(projectId, context));
  await readTaskConfig(request.names, project, undefined, context);
  return request;
}

/** Checks everything that a start would check, and stores the files of the message. */
export async function readTaskRequest(input: TaskRequestInput, context: Context): Promise<TaskRequest> {
  const request = {
    ...(await readMessage(input.message, context)),
    outputSchema: readOutputSchema(input.structured_output_schema).outputSchema ?? null,
    projectId: input.project_id || null,
    profile: input.agent_profile || null,
    family: familyOf(input.agent_profile, context),
    locale: input.locale ? readLocale(input.locale) : null,
    isInteractive: input.interactive_mode ?? false,
    metadata: changeMetadata({}, readMetadata(input.metadata)),
    budget: readBudget(input.budget, context),
    ...(input.priority && { priority: input.priority }),
    decisionTimeout: readDecisionTimeout(input.decision_timeout),
  };
  return checkRequest(request, context);
}

/** A request with a change applied: fields that the change does not name stay as they are. */
export async function changeTaskRequest(current: TaskRequest, change: TaskRequestChange, context: Context): Promise<TaskRequest> {
  const { project_id, agent_profile, locale, structured_output_schema: schema } = change;
  const named = {
    ...(project_id !== undefined && { projectId: project_id || null }),
    ...(agent_profile !== undefined && {
      profile: agent_profile || null,
      family: familyOf(agent_profile ?? undefined, context),
    }),
    ...(locale !== undefined && { locale: locale ? readLocale(locale) : null }),
    ...(change.interactive_mode !== undefined && { isInteractive: change.interactive_mode }),
    metadata: changeMetadata(current.metadata, readMetadata(change.metadata)),
    ...(change.budget !== undefined && { budget: readBudget(change.budget ?? undefined, context) }),
    ...(change.priority && { priority: change.priority }),
    ...(change.decision_timeout !== undefined && { decisionTimeout: readDecisionTimeout(change.decision_timeout ?? undefined) }),
  };
  const spoken = change.message ? await readMessage(change.message, context) : {};
  const shaped = schema === undefined ? {} : { outputSchema: readOutputSchema(schema).outputSchema ?? null };
  return checkRequest({ ...current, ...named, ...spoken, ...shaped }, context);
}

/** A stored task request as its caller sent it, with profile names of the family that the reader uses. */
export function presentTaskRequest(request: TaskRequest, context: Pick<Context, 'credits'>) {
  const { message, names, projectId, profile, locale, isInteractive, outputSchema, metadata, budget, priority } = request;
  const attachments = (message.attachments ?? []).map(({ filename, contentType, bytes }) => {
    return { filename, content_type: contentType, size_bytes: bytes };
  });
  return {
    message: {
      content: message.text,
      ...(attachments.length > 0 && { attachments }),
      ...names,
      ...(message.references && { task_references: [...message.references] }),
    },
    ...(projectId !== null && { project_id: projectId }),
    ...(profile !== null && { agent_profile: profile }),
    ...(locale !== null && { locale }),
    interactive_mode: isInteractive,
    ...(outputSchema !== null && { structured_output_schema: outputSchema }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(budget && { budget: presentBudget(budget, context) }),
    ...(priority && presentPriority(priority)),
    ...presentDecisionTimeout(request.decisionTimeout),
    ...(request.recipe && { recipe_id: request.recipe.id, values: { ...request.recipe.values } }),
  };
}
