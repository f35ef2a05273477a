import type { Hint } from '@errand/base/signals/hints.ts';
import { listCallUsage } from '../../rules/credits/model-usage.ts';
import { creditsOf, isPaidByOwnKey } from '../../rules/credits/pricing.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { applyEvents } from '../../rules/tasks/task-status.ts';
import { type Row, type Script, type SqlValue, type Statement, sql } from '../db/store-operation.ts';
import { insertEvents } from './events.ts';
import { matchTask, type TaskKey } from './task-key.ts';
import { insertCalls } from '../credits/model-usage.ts';
import { insertSession } from '../credits/usage-ledger.ts';
import { countSpent, hasOuterBudget, releaseHolds } from '../budgets/budget-holds.ts';
import { computedCodec, flag } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';

export function announceTask(taskId: string): Hint[] {
  return [{ topic: 'task', taskId }];
}

export function announceDue(taskId: string): Hint[] {
  return [{ topic: 'due' }, { topic: 'task', taskId }];
}

/** Hints that a task can be claimed, and that lists of its account are outdated. */
export function announceNew(key: TaskKey): Hint[] {
  return [{ topic: 'due' }, ...announceClaimed(key)];
}

/** Hints for a new task that a worker already has: its readers, and lists of its account. */
export function announceClaimed({ accountId, taskId }: TaskKey): Hint[] {
  return [...announceTask(taskId), { topic: 'tasks', accountId }];
}

/** Named columns: a prepared `*` breaks when a newer version adds a column while this one runs. */
export const lockedColumns = `account_id, id, status, title, task_type, profile, hidden, share_visibility, share_id, last_seq, last_event_at,
  session_cost, open_cost, last_model, project_id, oauth_client_id, parent_id, budget_root, budget_hold, budget_retry_at, decision_timeout_ms,
  decision_timeout_answer, decision_due_at,
  CASE WHEN budget_root IS NOT NULL OR ${hasOuterBudget('t')} THEN 1 ELSE 0 END AS is_budgeted, errand_now() AS now`;

const lockedRow = computedCodec('locked tasks', { is_budgeted: flag });

export function selectLocked(key: TaskKey): Statement {
  const { where, params } = matchTask(key);
  return sql(`SELECT ${lockedColumns} FROM tasks t WHERE ${where} FOR UPDATE`, ...params);
}

/** Adds a command's events to a locked task; `change` sets further columns (`name = ?`), `further` is stored with them. */
export function* logCommand(
  row: Row,
  events: readonly TaskEvent[],
  now: number,
  change: string,
  params: readonly SqlValue[],
  further: readonly Statement[] = [],
): Script<void> {
  const [accountId, taskId, seq] = [taskRow.account_id(row), taskRow.id(row), taskRow.last_seq(row)];
  const firstAt = Math.max(now, taskRow.last_event_at(row) + 1);
  const status = applyEvents(taskRow.status(row), events);
  yield [
    sql(
      `UPDATE tasks SET status = ?, last_seq = ?, last_event_at = ?, updated_at = ?, ${change} WHERE account_id = ? AND id = ?`,
      status,
      seq + events.length,
      firstAt + events.length - 1,
      now,
      ...params,
      accountId,
      taskId,
    ),
    insertEvents(accountId, taskId, seq + 1, firstAt, events),
    ...further,
  ];
}

/** The bill of a session ended by a command, including the estimate of an interrupted model call; nothing for an idle task. */
export function billSession(row: Row, now: number, eventCount: number): { records: Statement[]; credits: number } {
  if (taskRow.status(row) !== 'running') return { records: [], credits: 0 };
  const cost = taskRow.session_cost(row) + taskRow.open_cost(row);
  const [key, hold] = [{ accountId: taskRow.account_id(row), taskId: taskRow.id(row) }, taskRow.budget_hold(row)];
  // Budgets have not let it begin yet.
  if (cost === 0 && hold === null && lockedRow.is_budgeted(row)) return { records: [], credits: 0 };
  const session = taskRow.last_seq(row) + eventCount;
  const isFree = isPaidByOwnKey(cost, taskRow.last_model(row));
  const bills = isFree ? [] : [insertSession({ ...key, session, cost, now }, false)];
  const open = { model: taskRow.last_model(row), cost: taskRow.open_cost(row) };
  const interrupted = insertCalls(
    { ...key, projectId: taskRow.project_id(row), seq: session, now },
    listCallUsage([], open, true),
  );
  const credits = isFree ? 0 : creditsOf(cost);
  const spending = hold === null ? [] : [...countSpent(key, Math.min(credits, hold)), releaseHolds(key)];
  return { records: [...bills, ...interrupted, ...spending], credits };
}

/**
 * The changes to the row when the user stops a task, besides its log: the task has no worker any longer. Needs the credits that its session
 * has cost.
 */
export const stopChange = `wake_at = NULL, lease_owner = NULL, crashes = 0, fence = fence + 1, session_cost = 0, open_cost = 0,
  budget_hold = NULL, budget_retry_at = NULL, decision_due_at = NULL, stopped_by_user = 1, credits = credits + ?`;

/** The changes to the row when an idle task resumes: it is due, and a session begins. */
export const wakeChange = `wake_at = errand_now(), session_cost = 0, open_cost = 0, budget_hold = NULL, budget_retry_at = NULL,
  decision_due_at = NULL, stopped_by_user = 0`;
