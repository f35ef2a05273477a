import type { ReachedLimit } from '../../rules/budgets/budget.ts';
import { periodAt, readCurrent } from '../../rules/budgets/budget-period.ts';
import { type CallDemand, fitOutput, worstOf } from '../../rules/budgets/reservation.ts';
import { type Script, placeholders, sql, type Statement } from '../db/store-operation.ts';
import { type Budget, budgetColumns, budgetWhere, holdRow } from './budget-rows.ts';
import type { Holder } from './budget-holds.ts';

/** What decides which budgets limit a task. */
export interface BudgetedTask extends Holder {
  /** The task whose replies have the budget. */
  rootId: string | null;
  projectId: string | null;
  apiKeyId: string | null;
  externalUserId: string | null;
  oauthClientId: string | null;
  scheduleId: string | null;
}

/** A budget, and what the task's session has of it already. */
interface Share {
  budget: Budget;
  hold: { used: number; reserved: number };
}

/** The budgets of a task, locked in a fixed order. */
export function* lockShares(task: BudgetedTask, now: number): Script<Share[]> {
  const { accountId, taskId } = task;
  const scopes = [
    ['account', accountId],
    ['application', task.oauthClientId],
    ['external_user', task.externalUserId],
    ['key', task.apiKeyId],
    ['project', task.projectId],
    ['schedule', task.scheduleId],
    ['task', task.rootId],
  ].filter((pair): pair is [string, string] => pair[1] !== null);
  const [budgets = [], holds = []] = yield [
    sql(
      `SELECT ${budgetColumns.columns} FROM budgets WHERE account_id = ? AND (scope, scope_id) IN (VALUES ${placeholders(scopes.length, 2)})
       ORDER BY scope, scope_id, period FOR UPDATE`,
      accountId,
      ...scopes.flat(),
    ),
    sql(
      'SELECT scope, scope_id, period, used, reserved FROM budget_holds WHERE account_id = ? AND task_id = ?',
      accountId,
      taskId,
    ),
  ];
  return budgets.map((row) => {
    const budget = readCurrent(budgetColumns.read(row), now);
    const own = holds.find(
      (hold) =>
        holdRow.scope(hold) === budget.scope &&
        holdRow.scope_id(hold) === budget.scopeId &&
        holdRow.period(hold) === budget.period,
    );
    return { budget, hold: own ? { used: holdRow.used(own), reserved: holdRow.reserved(own) } : { used: 0, reserved: 0 } };
  });
}

/** What a budget lets a session cost altogether, in credits; with `isReleased`, if nothing else were under way. */
function mostIn({ budget, hold }: Share, isReleased: boolean): number {
  return budget.credits - budget.used + hold.used - (isReleased ? 0 : budget.reserved - hold.reserved);
}

function describeLimit({ credits, onLimit, period, scope, scopeId, used, isWarned }: Budget, now: number): ReachedLimit {
  return { scope, scopeId, period, credits, used, onLimit, isWarned, resetsAtMs: periodAt(period, now).endMs };
}

/** What becomes of a demand. */
export type Fitting =
  /** `hold`: the credits that the session may cost from now on. */
  | { outcome: 'fits'; output: number; hold: number }
  /** The call has to wait until a call of another task has ended. */
  | { outcome: 'busy' }
  | { outcome: 'refused'; limit: ReachedLimit; budget: Budget };

/** Whether a call of a session that has cost `spent` millionths of a credit fits into all its budgets. */
export function fitCall(shares: readonly Share[], spent: number, demand: CallDemand, now: number): Fitting {
  const most = Math.min(...shares.map((share) => mostIn(share, false)));
  const output = fitOutput(most, spent, demand);
  if (output !== null) return { outcome: 'fits', output, hold: worstOf(spent, demand, output) };
  const tightest = shares.toSorted((a, b) => mostIn(a, true) - mostIn(b, true))[0];
  if (!tightest || fitOutput(mostIn(tightest, true), spent, demand) !== null) return { outcome: 'busy' };
  return { outcome: 'refused', limit: describeLimit(tightest.budget, now), budget: tightest.budget };
}

/** Reserves `credits` altogether for the session, in budgets that `lockShares` has locked. */
export function reserve({ accountId, taskId }: Holder, shares: readonly Share[], credits: number, now: number): Statement[] {
  return [
    ...shares.flatMap(({ budget, hold }) => {
      const reserved = credits - hold.used;
      const { condition, params } = budgetWhere({ accountId, ...budget });
      return [
        sql(
          `UPDATE budgets SET used = ?, reserved = reserved + ?, period_at = ?, warned = ?, updated_at = ? WHERE ${condition}`,
          ...[budget.used, reserved - hold.reserved, budget.periodAtMs, budget.isWarned ? 1 : 0, now, ...params],
        ),
        sql(
          `INSERT INTO budget_holds (account_id, task_id, scope, scope_id, period, used, reserved) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (account_id, task_id, scope, scope_id, period) DO UPDATE SET reserved = excluded.reserved`,
          ...[accountId, taskId, budget.scope, budget.scopeId, budget.period, hold.used, reserved],
        ),
      ];
    }),
    sql('UPDATE tasks SET budget_hold = ? WHERE account_id = ? AND id = ?', credits, accountId, taskId),
  ];
}
