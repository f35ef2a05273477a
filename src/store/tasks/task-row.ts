import type { TaskEvent } from '../../rules/events/task-event.ts';
import type { DecisionTimeout } from '../../rules/inbox/decision-timeout.ts';
import { rankOf, type TaskPriority, usualPriority } from '../../rules/limits/task-priority.ts';
import { applyEvents } from '../../rules/tasks/task-status.ts';
import { marks, type RowValues, sql, type SqlValue, type Statement } from '../db/store-operation.ts';
import { hasReceivers } from '../webhooks/delivery-queue.ts';
import { insertEvents } from '../events/events.ts';
import { insertMetadata, packMetadata } from './task-metadata.ts';
import type { TaskRecord } from './task-record.ts';

/** What is known of a task at creation. */
export interface NewTask
  extends Omit<
    TaskRecord,
    | 'id'
    | 'status'
    | 'isStoppedByUser'
    | 'isPinned'
    | 'isArchived'
    | 'taskType'
    | 'scheduleId'
    | 'budget'
    | 'decisionTimeout'
    | 'priority'
    | 'apiKeyName'
    | 'createdAtMs'
    | 'updatedAtMs'
    | 'lastSeq'
    | 'credits'
  > {
  taskId: string;
  now: number;
  taskType: 'standard' | 'project' | 'agent_subtask' | 'agent_main';
  /** For a subtask: its parent, and its number of ancestors. */
  parentId?: string;
  depth?: number;
  /** For one that a schedule starts. */
  scheduleId?: string;
  /** The span that created it. */
  traceparent?: string | null;
  /** Default: normal. */
  priority?: TaskPriority;
  /** How long it waits for a person; null for as long as it takes. */
  decisionTimeout?: DecisionTimeout | null;
  /** The task whose budget it draws on. */
  budgetRoot?: string | null;
}

const columns = [
  'account_id',
  'id',
  'status',
  'title',
  'task_type',
  'profile',
  'family',
  'metadata',
  'external_user_id',
  'schedule_id',
  'budget_root',
  'locale',
  'interactive',
  'hidden',
  'share_visibility',
  'share_id',
  'api_key_id',
  'oauth_client_id',
  'project_id',
  'agent_id',
  'parent_id',
  'depth',
  'created_at',
  'updated_at',
  'last_seq',
  'last_event_at',
  'input_tokens',
  'output_tokens',
  'lease_owner',
  'fence',
  'crashes',
  'credits',
  'traceparent',
  'priority',
  'decision_timeout_ms',
  'decision_timeout_answer',
] as const;

/** Built once: the text is longer than most tasks, and is also the cache key of the prepared statement. */
function insertText(wakeAt: string): string {
  return `INSERT INTO tasks (${columns.join(', ')}, wake_at) VALUES (${marks(columns.length)}, ${wakeAt})
    RETURNING ${hasReceivers}`;
}
const [insertDue, insertIdle] = [insertText('errand_now()'), insertText('NULL')];

/**
 * The statements that create a task with its first events, and the resulting row. Due at once if it runs; the first returns
 * `has_receivers`.
 */
export function insertTask(task: NewTask, events: readonly TaskEvent[]): { row: RowValues; statements: Statement[] } {
  const status = applyEvents('running', events);
  const row: Record<(typeof columns)[number], SqlValue> = {
    account_id: task.accountId,
    id: task.taskId,
    status,
    title: task.title,
    task_type: task.taskType,
    profile: task.profile,
    family: task.family,
    metadata: packMetadata(task.metadata ?? {}),
    external_user_id: task.externalUserId,
    schedule_id: task.scheduleId ?? null,
    budget_root: task.budgetRoot ?? null,
    locale: task.locale,
    interactive: task.isInteractive ? 1 : 0,
    hidden: task.isHidden ? 1 : 0,
    share_visibility: task.shareVisibility,
    share_id: task.shareId,
    api_key_id: task.apiKeyId,
    oauth_client_id: task.oauthClientId,
    project_id: task.projectId,
    agent_id: task.agentId,
    parent_id: task.parentId ?? null,
    depth: task.depth ?? 0,
    created_at: task.now,
    updated_at: task.now,
    last_seq: events.length,
    last_event_at: task.now + events.length - 1,
    input_tokens: 0,
    output_tokens: 0,
    lease_owner: null,
    fence: 0,
    crashes: 0,
    credits: 0,
    traceparent: task.traceparent ?? null,
    priority: rankOf(task.priority ?? usualPriority),
    decision_timeout_ms: task.decisionTimeout ? task.decisionTimeout.seconds * 1000 : null,
    decision_timeout_answer: task.decisionTimeout?.answer ?? null,
  };
  const insertRow = sql(status === 'running' ? insertDue : insertIdle, ...columns.map((name) => row[name]));
  const inserts = [insertRow, insertEvents(task.accountId, task.taskId, 1, task.now, events)];
  return { row, statements: [...inserts, ...insertMetadata(task, task.metadata ?? {})] };
}
