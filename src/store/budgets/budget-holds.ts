import { sql, type Statement } from '../db/store-operation.ts';
import { isNearLimit } from './budget-rows.ts';

const sameBudget = `h.account_id = budgets.account_id AND h.scope = budgets.scope AND h.scope_id = budgets.scope_id
  AND h.period = budgets.period`;
const held = `account_id = ? AND (scope, scope_id, period) IN
  (SELECT h.scope, h.scope_id, h.period FROM budget_holds h WHERE h.account_id = ? AND h.task_id = ?)`;

/** Whether anything besides a task's own budget limits the rows of `tasks` under this name. */
export function hasOuterBudget(name: string): string {
  return `EXISTS (SELECT 1 FROM budgets b WHERE b.account_id = ${name}.account_id
    AND b.scope IN ('account', 'application', 'external_user', 'key', 'project', 'schedule'))`;
}

export interface Holder {
  accountId: string;
  taskId: string;
}

/** Counts what a session has cost so far, instead of what it has reserved; its budgets are locked in a fixed order. */
export function countSpent({ accountId, taskId }: Holder, credits: number): Statement[] {
  const key = [accountId, accountId, taskId];
  return [
    sql(`SELECT scope FROM budgets WHERE ${held} ORDER BY scope, scope_id, period FOR UPDATE`, ...key),
    sql(
      `UPDATE budgets SET used = used + ? - (SELECT h.used FROM budget_holds h WHERE h.task_id = ? AND ${sameBudget}),
         reserved = reserved - (SELECT h.reserved FROM budget_holds h WHERE h.task_id = ? AND ${sameBudget}) WHERE ${held}`,
      credits,
      taskId,
      taskId,
      ...key,
    ),
  ];
}

/** Marks the budgets of a session of which people have to be warned now; returns them. */
export function markWarned({ accountId, taskId }: Holder, columns: string): Statement {
  return sql(
    `UPDATE budgets SET warned = 1 WHERE ${held} AND warned = 0 AND ${isNearLimit()} RETURNING ${columns}`,
    ...[accountId, accountId, taskId],
  );
}

/** Updates the holds of a running session after `countSpent`: what it has spent so far is counted, and nothing is reserved. */
export function keepHolds({ accountId, taskId }: Holder, credits: number): Statement[] {
  return [
    sql('UPDATE budget_holds SET used = ?, reserved = 0 WHERE account_id = ? AND task_id = ?', credits, accountId, taskId),
    sql('UPDATE tasks SET budget_hold = ? WHERE account_id = ? AND id = ?', credits, accountId, taskId),
  ];
}

/** Removes the holds of an ended session after `countSpent`. The caller updates the task's row. */
export function releaseHolds({ accountId, taskId }: Holder): Statement {
  return sql('DELETE FROM budget_holds WHERE account_id = ? AND task_id = ?', accountId, taskId);
}
