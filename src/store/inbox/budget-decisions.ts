import { Fault, invalidField } from '@errand/base/fault.ts';
import { mostBudgetCredits } from '../../rules/budgets/budget.ts';
import { type CreditPrice, creditsFor } from '../../rules/credits/credit-price.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import type { Decider } from '../../rules/inbox/decider.ts';
import { noteBudgetSet } from '../accounts/account-budgets.ts';
import { budgetColumns, changeLimit, retryWaiting } from '../budgets/budget-rows.ts';
import { taskRow } from '../db/shared-rows.ts';
import { lockRow, type Row, type Script } from '../db/store-operation.ts';
import { raiseBudget } from '../tasks/reply-budgets.ts';
import { stopTask } from '../tasks/tasks.ts';

type Waiting = Extract<TaskEvent, { type: 'waiting' }>;

interface BudgetDecision {
  accept: boolean | null;
  input: Readonly<Record<string, unknown>> | null;
  /** What a credit is worth. */
  price: CreditPrice;
  now: number;
  /** Whether the decision is made by the account of the task. */
  isOwner: boolean;
  decider: Decider;
}

/** The new budget, in credits or as an amount of money. */
function readCredits({ input, price }: BudgetDecision): number {
  const { amount, currency = price.currency } = (input?.['money'] ?? {}) as { amount?: unknown; currency?: unknown };
  if (currency !== price.currency) throw invalidField('input.money.currency', `must be ${price.currency}`);
  const credits = typeof amount === 'number' && amount > 0 ? creditsFor(amount, price) : input?.['credits'];
  const isGiven = typeof credits === 'number' && Number.isInteger(credits) && credits >= 1 && credits <= mostBudgetCredits;
  if (!isGiven) throw invalidField('input.credits', `must be a whole number from 1 to ${mostBudgetCredits}: the new budget`);
  return credits;
}

/** Raises a budget of more than a task. Every task that waits for one is tried again. */
function* raiseOuter(
  accountId: string,
  { scope = '', scopeId = '', period = '' }: NonNullable<Waiting['budget']>,
  credits: number,
  { decider: { actor }, now }: BudgetDecision,
): Script<void> {
  // Tasks are locked before budgets.
  yield [retryWaiting(accountId)];
  const row = yield* lockRow(budgetColumns.columns, 'budgets', { account_id: accountId, scope, scope_id: scopeId, period });
  // Removed meanwhile: nothing limits the task any more.
  if (!row) return;
  const budget = budgetColumns.read(row);
  if (credits <= budget.used) throw invalidField('input.credits', `must be more than the ${budget.used} that are used`);
  const key = { accountId, scope: budget.scope, scopeId: budget.scopeId, period: budget.period };
  yield [changeLimit(key, { credits, onLimit: null }, now), noteBudgetSet({ ...key, credits, actor, now })];
}

/** Raises the budget that a locked task waits for, or ends the task. */
export function* decideBudget(task: Row, { budget }: Waiting, decision: BudgetDecision): Script<void> {
  const { accept, now, isOwner } = decision;
  const [accountId, taskId] = [taskRow.account_id(task), taskRow.id(task)];
  if (accept === null) throw invalidField('accept', 'is required: true raises the budget, false ends the task');
  if (!accept) {
    yield* stopTask.run({ accountId, taskId, now });
    return;
  }
  const credits = readCredits(decision);
  if (!budget?.scope && taskRow.budget_root(task) === null) {
    throw new Fault('failed_precondition', 'Its subtasks wait for a budget of more than this task; raise that with budget.set.');
  }
  if (!budget?.scope || budget.scope === 'task') {
    yield* raiseBudget(task, { credits, onLimit: null }, now, 'input.credits', null);
    return;
  }
  if (!isOwner) throw new Fault('permission_denied', 'Only the owner of the task can raise a budget of more than the task.');
  yield* raiseOuter(accountId, budget, credits, decision);
}
