import { z } from 'zod';
import { taskStatuses } from '../../rules/events/task-event.ts';
import type { TaskRecord } from '../../store/tasks/task-record.ts';
import { presentBudgetUse, shownBudgetUse } from '../budgets/budget-field.ts';
import { shownExternalUser } from '../contract/external-user-field.ts';
import { shownMetadata } from './metadata-field.ts';
import { presentDecisionTimeout, shownDecisionTimeout } from '../contract/decision-timeout-field.ts';
import { presentPriority, shownPriority } from '../limits/priority-field.ts';
import { nameProfile } from './agent-profile.ts';
import { shareVisibility } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import type { Urls } from '../contract/urls.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const shareUrl = z.string().optional().meta({ description: 'Present unless the task is private.' });

/** The status of a task, and who ended its last turn. */
export const standing = {
  status: z.enum(taskStatuses),
  stopped_by: z
    .enum(['agent', 'user'])
    .optional()
    .meta({ description: 'Who ended the last turn; present while the task is stopped.' }),
};

export function presentStanding({ status, isStoppedByUser }: Pick<TaskRecord, 'status' | 'isStoppedByUser'>) {
  return { status, ...(status === 'stopped' && { stopped_by: isStoppedByUser ? ('user' as const) : ('agent' as const) }) };
}

/** A task in task.detail and task.list (docs/reference/wire-format.md#task). */
export const taskObject = z
  .object({
    id: z.string(),
    ...standing,
    title: z.string(),
    task_type: z.enum(['standard', 'project', 'agent_subtask']),
    task_url: z.string(),
    share_visibility: shareVisibility,
    share_url: shareUrl,
    agent_profile: z.string(),
    created_by_api_key: z
      .object({ id: z.string(), name: z.string().optional() })
      .nullable()
      .meta({ description: 'The key with its current name; null if the task was not created with an API key.' }),
    created_by_oauth_client: z
      .object({ id: z.string() })
      .nullable()
      .meta({ description: 'The application; null if the task was not created by one.' }),
    credit_usage: z.int().optional().meta({ description: 'Credits used by its sessions; present once there are any.' }),
    metadata: shownMetadata,
    external_user_id: shownExternalUser,
    is_pinned: z.literal(true).optional().meta({ description: 'Present while the web application lists it above all others.' }),
    is_archived: z.literal(true).optional().meta({ description: 'Present while the web application lists it as archived only.' }),
    assignee: z.string().optional().meta({ description: 'Id of the account of the team to which the owner has handed it over.' }),
    schedule_id: z.string().optional().meta({ description: 'The schedule that started it.' }),
    budget: shownBudgetUse,
    priority: shownPriority,
    decision_timeout: shownDecisionTimeout,
    created_at: unixTime,
    updated_at: unixTime,
  })
  .meta({ id: 'Task' });

/** The response of task.create and task.update. */
export const taskReceipt = z.object({
  task_id: z.string(),
  task_title: z.string(),
  task_url: z.string(),
  share_url: shareUrl,
  share_visibility: shareVisibility,
});

function presentShare({ shareId }: TaskRecord, urls: Urls): { share_url?: string } {
  return shareId === null ? {} : { share_url: urls.share(shareId) };
}

function presentKey({ apiKeyId, apiKeyName }: TaskRecord): { id: string; name?: string } | null {
  return apiKeyId === null ? null : { id: apiKeyId, ...(apiKeyName !== null && { name: apiKeyName }) };
}

/**
 * The public type of a task, one of three (docs/reference/api.md#task). agent.detail tells an agent's conversation from its other tasks.
 */
function presentType({ taskType }: TaskRecord): 'standard' | 'project' | 'agent_subtask' {
  return taskType === 'project' || taskType === 'agent_subtask' ? taskType : 'standard';
}

/** Only the owner sees which credential created a task, not the team that can read it. */
function presentOrigin(task: TaskRecord, isOwner: boolean) {
  return {
    created_by_api_key: isOwner ? presentKey(task) : null,
    created_by_oauth_client: isOwner && task.oauthClientId !== null ? { id: task.oauthClientId } : null,
  };
}

/** Whether the owner has pinned or archived the task. */
function presentMarks({ isPinned, isArchived }: TaskRecord) {
  return { ...(isPinned && { is_pinned: true as const }), ...(isArchived && { is_archived: true as const }) };
}

export function presentTask(task: TaskRecord, { urls, family, principal, credits }: Context): z.input<typeof taskObject> {
  return {
    id: task.id,
    ...presentStanding(task),
    title: task.title,
    task_type: presentType(task),
    task_url: urls.task(task.id),
    share_visibility: task.shareVisibility,
    ...presentShare(task, urls),
    agent_profile: nameProfile(task.profile, task.family ?? family),
    ...presentOrigin(task, task.accountId === principal.accountId),
    ...(task.credits > 0 && { credit_usage: task.credits }),
    ...(task.metadata !== null && { metadata: task.metadata }),
    ...(task.externalUserId !== null && { external_user_id: task.externalUserId }),
    ...(task.accountId === principal.accountId && presentMarks(task)),
    ...(task.assignee !== null && { assignee: task.assignee }),
    ...(task.scheduleId !== null && { schedule_id: task.scheduleId }),
    ...(task.budget !== null && { budget: presentBudgetUse(task.budget, { credits }) }),
    ...presentPriority(task.priority),
    ...presentDecisionTimeout(task.decisionTimeout),
    created_at: toUnixTime(task.createdAtMs),
    updated_at: toUnixTime(task.updatedAtMs),
  };
}

export function presentReceipt(task: TaskRecord, urls: Urls): z.input<typeof taskReceipt> {
  return {
    task_id: task.id,
    task_title: task.title,
    task_url: urls.task(task.id),
    ...presentShare(task, urls),
    share_visibility: task.shareVisibility,
  };
}
