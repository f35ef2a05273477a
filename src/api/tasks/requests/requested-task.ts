import { newId } from '@errand/base/ids.ts';
import type { UserMessage } from '../../../rules/events/task-event.ts';
import type { TaskRequest } from '../../../rules/schedules/task-request.ts';
import { autoTitle } from '../../../rules/tasks/title.ts';
import type { TaskKey } from '../../../store/events/task-key.ts';
import { getProject } from '../../../store/projects/projects.ts';
import { type CreateTaskArgs, getTask, type MessageTaskArgs } from '../../../store/tasks/tasks.ts';
import type { Context } from '../../contract/operation.ts';
import { keyOfProject } from '../../contract/owned-project.ts';
import { defaultProfile, readProfile } from '../agent-profile.ts';
import { readChange, readTaskConfig } from '../task-config-input.ts';

/** What started the task, besides its request. */
export interface RequestedStart {
  /** Title of the task; made from the message by default. */
  title?: string;
  /** The credential with which the request was stored. */
  apiKeyId: string | null;
  oauthClientId: string | null;
}

function messageOf({ message, outputSchema }: TaskRequest): UserMessage {
  return outputSchema === null ? message : { ...message, outputSchema };
}

/**
 * What starts a task for a stored request, for one write together with the record of the start. Throws as task.create does for what
 * cannot start now, such as a connector that was deleted meanwhile. The caller is the account itself; the rights of an application that
 * stored the request are in it.
 */
export async function planTask(request: TaskRequest, start: RequestedStart, context: Context): Promise<CreateTaskArgs> {
  const { principal, now, families } = context;
  const {
    names,
    projectId,
    profile,
    family,
    locale,
    isInteractive,
    metadata,
    budget = null,
    priority,
    decisionTimeout = null,
  } = request;
  const project = projectId === null ? null : await context.read(getProject, keyOfProject(projectId, context));
  const message = messageOf(request);
  const taskConfig = await readTaskConfig(names, project, undefined, context);
  const filenames = (message.attachments ?? []).map(({ filename }) => filename).join(', ');
  return {
    accountId: principal.accountId,
    taskId: newId(now),
    now,
    taskType: project ? 'project' : 'standard',
    title: start.title ?? autoTitle(message.text || filenames),
    hasAutoTitle: start.title === undefined,
    profile: readProfile(profile ?? defaultProfile, { families, family, plan: principal.plan }),
    family,
    metadata,
    externalUserId: null,
    locale: locale ?? principal.locale,
    isInteractive,
    isHidden: false,
    shareVisibility: 'private',
    shareId: null,
    apiKeyId: start.apiKeyId,
    oauthClientId: start.oauthClientId,
    projectId: project?.id ?? null,
    agentId: null,
    message,
    taskConfig: locale === null ? taskConfig : { ...taskConfig, hasOwnLocale: true },
    creditDemand: await context.credits.demandFor(principal.accountId, now),
    budget,
    ...(priority && { priority }),
    decisionTimeout,
  };
}

/** Plans a follow-up message to a task; 404 if the task was deleted. */
export async function planMessage(request: TaskRequest, key: TaskKey, context: Context): Promise<MessageTaskArgs> {
  const { principal, now, families } = context;
  const { names, profile, family, budget = null } = request;
  const { projectId } = await context.read(getTask, key);
  return {
    ...key,
    now,
    message: messageOf(request),
    profile: profile === null ? null : readProfile(profile, { families, family, plan: principal.plan }),
    creditDemand: await context.credits.demandFor(principal.accountId, now),
    taskConfig: await readChange(names, projectId, context),
    budget,
  };
}
