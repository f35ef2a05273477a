import type { LimitAction, ReplyBudgetUse } from '../../rules/budgets/budget.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { DecisionTimeout } from '../../rules/inbox/decision-timeout.ts';
import { priorityOf, type TaskPriority } from '../../rules/limits/task-priority.ts';
import type { TaskMetadata } from '../../rules/tasks/task-metadata.ts';
import type { Row, SqlValue } from '../db/store-operation.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';

export const shareVisibilities = ['private', 'team', 'public'] as const;
export type ShareVisibility = (typeof shareVisibilities)[number];

/** A task as stored in its row; times in milliseconds since the epoch. */
export interface TaskRecord {
  accountId: string;
  id: string;
  status: TaskStatus;
  /** Whether the user ended the last turn, not the agent. */
  isStoppedByUser: boolean;
  title: string;
  taskType: string;
  profile: string;
  /** The family of profile names used by the request that created it; null if no request did. */
  family: string | null;
  /** Metadata attached by callers; null for none. */
  metadata: TaskMetadata | null;
  /** The creator's id of the person for whom the task was created; null for none. */
  externalUserId: string | null;
  /** The schedule that started the task; null for none. */
  scheduleId: string | null;
  locale: string;
  isInteractive: boolean;
  isHidden: boolean;
  /** Whether lists show the task above all others. */
  isPinned: boolean;
  /** Whether only the list of archived tasks shows the task. */
  isArchived: boolean;
  shareVisibility: ShareVisibility;
  /** The unguessable id in the public URL; null while the task is private. */
  shareId: string | null;
  apiKeyId: string | null;
  projectId: string | null;
  /** The member of the owner's team who acts in the task for its owner; null for nobody. */
  assignee: string | null;
  /** The agent whose conversation it is, or that created it. */
  agentId: string | null;
  /** The current name of the API key; null if there is none. */
  apiKeyName: string | null;
  oauthClientId: string | null;
  createdAtMs: number;
  updatedAtMs: number;
  lastSeq: number;
  /** Cost of the task's ended sessions, minus refunds. */
  credits: number;
  priority: TaskPriority;
  /** How long the task waits for a person; null for indefinitely. */
  decisionTimeout: DecisionTimeout | null;
  /** What its replies may cost; null without a limit. */
  budget: ReplyBudgetUse | null;
}

/** Parses a budget as selected by `budgetInSql`. */
function readBudget(stored: SqlValue | undefined): ReplyBudgetUse | undefined {
  if (typeof stored !== 'string') return undefined;
  const [credits, used, reserved, onLimit] = stored.split(' ');
  return { credits: Number(credits), used: Number(used), reserved: Number(reserved), onLimit: onLimit as LimitAction };
}

/** Selects the budget as one column, so that a task without one costs no more than reading its `budget_root`. */
const budgetInSql = `(SELECT b.credits || ' ' || b.used || ' ' || b.reserved || ' ' || b.on_limit FROM budgets b
  WHERE t.budget_root = t.id AND b.account_id = t.account_id AND b.scope = 'task' AND b.scope_id = t.id AND b.period = 'reply')`;

const joinedRow = computedCodec('tasks with what they refer to', {
  api_key_name: nullable(text),
  budget: nullable(readBudget),
});

const own = taskRow.pick(
  'account_id, id, status, title, task_type, profile, family, metadata, external_user_id, schedule_id, locale',
  'interactive as isInteractive, hidden as isHidden, share_visibility, share_id, api_key_id, oauth_client_id, project_id',
  'agent_id, created_at, updated_at, last_seq, credits, stopped_by_user as isStoppedByUser, priority',
  'decision_timeout_ms, decision_timeout_answer, pinned as isPinned, archived as isArchived, assignee',
);

/** Columns that `readTask` needs. */
export const taskColumns = `${own.columnsOf('t')},
  (SELECT k.name FROM api_keys k WHERE k.account_id = t.account_id AND k.id = t.api_key_id) AS api_key_name, ${budgetInSql} AS budget`;

export function readTask(row: Row): TaskRecord {
  const { priority, decisionTimeoutMs, decisionTimeoutAnswer, ...task } = own.read(row);
  const decisionTimeout =
    decisionTimeoutMs === null ? null : { seconds: decisionTimeoutMs / 1000, answer: decisionTimeoutAnswer };
  const shareVisibility = taskRow.share_visibility(row) as ShareVisibility;
  return { ...task, ...joinedRow.read(row), priority: priorityOf(priority), decisionTimeout, shareVisibility };
}
