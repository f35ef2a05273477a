import type { TaskEvent } from '../../rules/events/task-event.ts';
import type { DecisionTimeout } from '../../rules/inbox/decision-timeout.ts';
import { rankOf, type TaskPriority, usualPriority } from '../../rules/limits/task-priority.ts';
import { applyEvents } from '../../rules/tasks/task-status.ts';
import { taskRow } from '../db/shared-rows.ts';
import { marks, type Row, type RowValues, sql, type SqlValue, type Statement } from '../db/store-operation.ts';
import { hasReceivers } from '../webhooks/delivery-queue.ts';
import { insertEvents } from '../events/events.ts';
import { type AccountFacts, claimingColumns, readClaimingAccount } from './claims/claim-limits.ts';
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
    | 'assignee'
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
  /** The team that it belongs to; null, the default, for the current one of its account. */
  teamId?: string | null;
  /** The schedule that starts the task. */
  scheduleId?: string;
  /** The span that created the task; null for none. */
  traceparent?: string | null;
  /** Whether its title is only the first words of its message, so that the agent may give it one. Default: false. */
  hasAutoTitle?: boolean;
  /** Default: normal. */
  priority?: TaskPriority;
  /** How long the task waits for a person; null for indefinitely. */
  decisionTimeout?: DecisionTimeout | null;
  /** The task whose budget this task draws on. */
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
  'auto_title',
  'team_id',
] as const;

/** Columns of a new task that have a default. */
export const freshMarks = { stopped_by_user: 0, pinned: 0, archived: 0, assignee: null };

/**
 * The statement that inserts a task. It is built only once: the text is longer than most tasks, and is also the cache key of the prepared
 * statement.
 */
function insertText(wakeAt: string, further = ''): string {
  return `INSERT INTO tasks (${columns.join(', ')}, wake_at, search_due_at, trace_due_at)
    VALUES (${marks(columns.length)}, ${wakeAt}) RETURNING ${hasReceivers}${further}`;
}
const insertDue = insertText('errand_now(), 0, NULL');
const insertIdle = insertText('NULL, 0, NULL');
/** `wake_at`, `search_due_at`, and `trace_due_at` of a task that is claimed as it is created: what `insertDue` and a claim would leave. */
const claimedTimes = 'errand_now() + ?, errand_now(), CASE WHEN CAST(? AS INTEGER) = 1 THEN errand_now() END';
const insertClaimed = insertText(claimedTimes, `, team_id, ${claimingColumns('tasks')}`);

/** A slot of a worker that takes a task with its creation. */
export interface CreationSlot {
  workerId: string;
  ttlMs: number;
  /** Whether what happens to the task is exported as traces. */
  isTraced: boolean;
}

/** The most events in one statement: the text for each number of events stays cached. */
const mostEvents = 64;

/** The statements that log the first events of a task: one, unless it begins with the conversation of another. */
function insertFirst({ accountId, taskId, now }: NewTask, events: readonly TaskEvent[]): Statement[] {
  if (events.length <= mostEvents) return [insertEvents(accountId, taskId, 1, now, events)];
  return Array.from({ length: Math.ceil(events.length / mostEvents) }, (_, index) => {
    const from = index * mostEvents;
    return insertEvents(accountId, taskId, from + 1, now + from, events.slice(from, from + mostEvents));
  });
}

/**
 * The statements that create a task with its first events, and the resulting row. If it runs, it is due at once, or has the lease of the
 * worker with the slot. The first returns `has_receivers`, and with a slot what `readClaim` reads.
 */
export function insertTask(
  task: NewTask,
  events: readonly TaskEvent[],
  slot: CreationSlot | null = null,
): { row: RowValues; statements: Statement[] } {
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
    lease_owner: slot?.workerId ?? null,
    fence: slot ? 1 : 0,
    crashes: 0,
    credits: 0,
    traceparent: task.traceparent ?? null,
    priority: rankOf(task.priority ?? usualPriority),
    decision_timeout_ms: task.decisionTimeout ? task.decisionTimeout.seconds * 1000 : null,
    decision_timeout_answer: task.decisionTimeout?.answer ?? null,
    auto_title: task.hasAutoTitle === true ? 1 : 0,
    team_id: task.teamId ?? null,
  };
  const values = columns.map((name) => row[name]);
  const insertRow = slot
    ? sql(insertClaimed, ...values, slot.ttlMs, slot.isTraced ? 1 : 0)
    : sql(status === 'running' ? insertDue : insertIdle, ...values);
  const inserts = [insertRow, ...insertFirst(task, events)];
  return { row, statements: [...inserts, ...insertMetadata(task, task.metadata ?? {})] };
}

/** The account of a task that was created for a slot; null if limits decide when tasks of the account run. */
export function readClaim(written: Row): AccountFacts | null {
  const { hasLimits, most, weight, hasBrands, hasMemories, hasTeams } = readClaimingAccount(written);
  const facts = { weight, hasBrands, hasMemories, hasTeams: hasTeams || taskRow.team_id(written) !== null };
  return hasLimits || most !== null ? null : facts;
}

/** Takes back the lease with which a task was created. A claim then counts the running tasks before the task runs. */
export function giveBack({ accountId, taskId }: { accountId: string; taskId: string }): Statement {
  return sql(
    'UPDATE tasks SET wake_at = errand_now(), lease_owner = NULL, fence = 0 WHERE account_id = ? AND id = ?',
    accountId,
    taskId,
  );
}

/** The part of an UPDATE that gives a task the title among these events, if it has none but the first words of its message. */
export function changeTitle(events: readonly TaskEvent[]): { text: string; params: SqlValue[] }[] {
  const title = events.flatMap((event) => (event.type === 'plan_updated' ? (event.title ?? []) : []))[0];
  return title === undefined
    ? []
    : [{ text: 'title = CASE WHEN auto_title = 1 THEN ? ELSE title END, auto_title = 0', params: [title] }];
}
