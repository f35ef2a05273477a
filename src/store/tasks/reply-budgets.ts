import { Fault, invalidField } from '@errand/base/fault.ts';
import type { ReplyBudget } from '../../rules/budgets/budget.ts';
import { budgetRow, budgetWhere, changeLimit, insertReplyBudget, startReply } from '../budgets/budget-rows.ts';
import type { Decider } from '../../rules/inbox/decider.ts';
import { taskRow } from '../db/shared-rows.ts';
import { lockRow, type Row, type Script, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';
import { keepDecision } from '../events/kept-decisions.ts';
import { announceDue, lockedColumns, logCommand, wakeChange } from '../events/task-log.ts';
import { findDescendants } from './subtasks.ts';

/**
 * Resumes locked tasks that wait for a budget. `decider` is who raised it; null if it began a new period, or if the decision is already
 * recorded.
 */
function* resume(rows: readonly Row[], now: number, decider: Decider | null): Script<string[]> {
  const waiting = rows.filter((row) => taskRow.status(row) === 'waiting' && taskRow.budget_retry_at(row) !== null);
  for (const row of waiting) {
    if (decider) yield* keepDecision(row, { decider, accept: true, answer: null, note: null, now });
    yield* logCommand(row, [{ type: 'running', brief: 'Going on with the budget' }], now, wakeChange, []);
  }
  return waiting.map(taskRow.id);
}

/** Stores the budget of a locked task; `family` are its locked subtasks, which draw on it too. `raisedBy`: the field that has to raise it. */
function* storeBudget(row: Row, family: readonly Row[], budget: ReplyBudget, now: number, raisedBy: string | null): Script<void> {
  const [accountId, taskId] = [taskRow.account_id(row), taskRow.id(row)];
  if (taskRow.parent_id(row) !== null) {
    throw new Fault('failed_precondition', 'budget: a subtask draws on the budget of the task that started it; set it there.', {
      param: 'budget',
    });
  }
  const key = { accountId, scope: 'task', scopeId: taskId, period: 'reply' } as const;
  const known = yield* lockRow('used', 'budgets', {
    account_id: accountId,
    scope: key.scope,
    scope_id: taskId,
    period: key.period,
  });
  if (!known) yield [insertReplyBudget(accountId, taskId, budget, now)];
  else {
    const used = budgetRow.used(known);
    if (raisedBy !== null && budget.credits <= used) throw invalidField(raisedBy, `must be more than the ${used} that are used`);
    yield [changeLimit(key, budget, now)];
  }
  const others = [row, ...family].filter((one) => taskRow.budget_root(one) === null);
  for (const one of others) {
    yield [sql('UPDATE tasks SET budget_root = ? WHERE account_id = ? AND id = ?', taskId, accountId, taskRow.id(one))];
  }
}

/** Applies a message to the budget of its locked task: a new reply starts from zero, and a higher limit applies to subtasks, too. */
export function* followBudget(row: Row, budget: ReplyBudget | null, now: number): Script<void> {
  const [accountId, taskId, status] = [taskRow.account_id(row), taskRow.id(row), taskRow.status(row)];
  const isWaiting = taskRow.budget_retry_at(row) !== null;
  const family = budget !== null || isWaiting ? yield* findDescendants(accountId, taskId) : [];
  if (isWaiting) yield* resume(family, now, null);
  if (taskRow.budget_root(row) === taskId && (status === 'stopped' || status === 'error')) yield [startReply(accountId, taskId)];
  if (budget !== null) yield* storeBudget(row, family, budget, now, null);
}

/** Changes the budget of a locked task, by the field of this name. If the task waits for it, it resumes. */
export function* raiseBudget(row: Row, budget: ReplyBudget, now: number, field: string, decider: Decider | null): Script<void> {
  const [accountId, taskId] = [taskRow.account_id(row), taskRow.id(row)];
  const family = yield* findDescendants(accountId, taskId);
  yield* storeBudget(row, family, budget, now, taskRow.budget_retry_at(row) === null ? null : field);
  yield* resume([row, ...family], now, decider);
}

/**
 * Removes the budget of a locked task and the holds of its sessions; a call in progress costs no more than was reserved for it. Tasks that
 * wait for the budget resume.
 */
export function* removeBudget(row: Row, now: number, decider: Decider | null): Script<void> {
  const [accountId, taskId] = [taskRow.account_id(row), taskRow.id(row)];
  if (taskRow.budget_root(row) !== taskId) return;
  const family = [row, ...(yield* findDescendants(accountId, taskId))];
  yield family.map((one) =>
    sql(
      'UPDATE tasks SET budget_root = NULL WHERE account_id = ? AND id = ? AND budget_root = ?',
      ...[accountId, taskRow.id(one), taskId],
    ),
  );
  const { condition, params } = budgetWhere({ accountId, scope: 'task', scopeId: taskId, period: 'reply' });
  yield ['budgets', 'budget_holds'].map((table) => sql(`DELETE FROM ${table} WHERE ${condition}`, ...params));
  yield* resume(family, now, decider);
}

/** Tasks that are resumed at once. */
const resumedAtOnce = 100;

/** Resumes tasks whose budget has begun a new period or was raised, and the tasks that wait for them. */
export const resumeDue: StoreOperation<{ now: number }, { taskIds: string[]; hasMore: boolean }> = {
  name: 'tasks.resumeDue',
  access: 'exclusive',
  *run({ now }) {
    const due = yield* selectAll(
      `SELECT account_id, id, parent_id FROM tasks INDEXED BY tasks_waiting_for_budget
       WHERE budget_retry_at IS NOT NULL AND budget_retry_at <= ? ORDER BY budget_retry_at LIMIT ?`,
      now,
      resumedAtOnce,
    );
    const taskIds: string[] = [];
    for (const row of due) taskIds.push(...(yield* resumeWithParents(taskRow.account_id(row), taskRow.id(row), now)));
    return { taskIds, hasMore: due.length === resumedAtOnce };
  },
  announce: (_, { taskIds }) => taskIds.flatMap(announceDue),
};

/** Resumes a task and its ancestors. Everything that locks several of them uses this order. */
function* resumeWithParents(accountId: string, taskId: string, now: number): Script<string[]> {
  const rows = yield* selectAll(
    `SELECT ${lockedColumns} FROM tasks t WHERE account_id = ? AND (id = ? OR id = (SELECT c.parent_id FROM tasks c
       WHERE c.account_id = t.account_id AND c.id = ?) OR id = (SELECT p.parent_id FROM tasks c JOIN tasks p
       ON p.account_id = c.account_id AND p.id = c.parent_id WHERE c.account_id = t.account_id AND c.id = ?))
     ORDER BY depth, id FOR UPDATE`,
    accountId,
    taskId,
    taskId,
    taskId,
  );
  return yield* resume(rows, now, null);
}
