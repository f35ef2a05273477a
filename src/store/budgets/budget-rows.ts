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
