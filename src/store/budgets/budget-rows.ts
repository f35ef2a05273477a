import type { BudgetPeriod, BudgetScope, LimitAction, ReplyBudget } from '../../rules/budgets/budget.ts';
import { flag, integer, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { insertRow, sql, type Statement } from '../db/store-operation.ts';

/** `budgets` */
export const budgetRow = tableCodec('budgets', {
  scope: oneOf<BudgetScope>(),
  scope_id: text,
  period: oneOf<BudgetPeriod>(),
  credits: integer,
  on_limit: oneOf<LimitAction>(),
  used: integer,
  reserved: integer,
  period_at: integer,
  warned: flag,
});

export const budgetColumns = budgetRow.pick(
  'scope, scope_id, period, credits, on_limit, used, reserved, period_at, warned as isWarned',
);
export type Budget = ReturnType<typeof budgetColumns.read>;

/** `budget_holds` */
export const holdRow = tableCodec('budget_holds', {
  scope: oneOf<BudgetScope>(),
  scope_id: text,
  period: oneOf<BudgetPeriod>(),
  used: integer,
  reserved: integer,
});

/** One budget. */
export interface BudgetKey {
  accountId: string;
  scope: BudgetScope;
  scopeId: string;
  period: BudgetPeriod;
}

/** The row of a budget, and of what a task holds of it. */
export function budgetWhere({ accountId, scope, scopeId, period }: BudgetKey) {
  return {
    condition: 'account_id = ? AND scope = ? AND scope_id = ? AND period = ?',
    params: [accountId, scope, scopeId, period],
  };
}

/** SQL condition: so much is used that people are warned. */
export function isNearLimit(credits = 'credits'): string {
  return `used * 10 >= ${credits} * 8`;
}

/**
 * Changes the limit of an existing budget; null keeps what happens at the limit. If the use is already near the new limit, its warning
 * counts as given.
 */
export function changeLimit(key: BudgetKey, { credits, onLimit }: ReplyBudget, now: number): Statement {
  const { condition, params } = budgetWhere(key);
  return sql(
    `UPDATE budgets SET credits = ?, on_limit = COALESCE(?, on_limit), updated_at = ?,
       warned = CASE WHEN ${isNearLimit('CAST(? AS BIGINT)')} THEN 1 ELSE 0 END WHERE ${condition}`,
    ...[credits, onLimit, now, credits, ...params],
  );
}

/** A new budget of the replies of a task. */
export function insertReplyBudget(accountId: string, taskId: string, { credits, onLimit }: ReplyBudget, now: number): Statement {
  return insertRow('budgets', {
    account_id: accountId,
    ...{
      scope: 'task',
      scope_id: taskId,
      period: 'reply',
      credits,
      on_limit: onLimit ?? 'wait',
      used: 0,
      reserved: 0,
      period_at: 0,
    },
    ...{ warned: 0, created_at: now, updated_at: now },
  });
}

/** Deletes the budget of a task's replies, if it has one. */
export function deleteReplyBudget(accountId: string, taskId: string): Statement {
  return sql("DELETE FROM budgets WHERE account_id = ? AND scope = 'task' AND scope_id = ?", accountId, taskId);
}

/** The next reply starts from nothing. What subtasks of an earlier one still hold stays reserved. */
export function startReply(accountId: string, taskId: string): Statement {
  return sql(
    "UPDATE budgets SET used = 0, warned = 0 WHERE account_id = ? AND scope = 'task' AND scope_id = ?",
    accountId,
    taskId,
  );
}

/** Every task of the account that waits for a budget is to be tried again. */
export function retryWaiting(accountId: string): Statement {
  return sql('UPDATE tasks SET budget_retry_at = 0 WHERE budget_retry_at IS NOT NULL AND account_id = ?', accountId);
}
