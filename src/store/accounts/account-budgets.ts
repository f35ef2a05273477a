import { Fault } from '@errand/base/fault.ts';
import type { BudgetPeriod, BudgetScope } from '../../rules/budgets/budget.ts';
import { periodAt, readCurrent } from '../../rules/budgets/budget-period.ts';
import {
  type Budget,
  budgetColumns,
  type BudgetKey,
  budgetRow,
  budgetWhere,
  changeLimit,
  retryWaiting,
} from '../budgets/budget-rows.ts';
import { countRow } from '../db/shared-rows.ts';
import {
  findRow,
  insertRow,
  lockAccount,
  type Script,
  selectAll,
  selectOne,
  sql,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';
import { noteSecurityEvent } from './security-events.ts';

/** What a budget of more than a task limits. */
export type OuterScope = Exclude<BudgetScope, 'task'>;
export type OuterPeriod = Exclude<BudgetPeriod, 'reply'>;

export interface OuterBudgetKey extends BudgetKey {
  scope: OuterScope;
  period: OuterPeriod;
}

/** The most budgets of one account: of people of its product (`maxUserBudgets`), and of everything else (`maxBudgets`). */
const maxUserBudgets = 1_000_000;
const maxBudgets = 1000;

/** Where the things are that have budgets, and the column of their ids. An application is known by a grant or as the account's own. */
const places: Record<Exclude<OuterScope, 'external_user'>, readonly (readonly [table: string, column: string])[]> = {
  account: [['accounts', 'account_id']],
  application: [
    ['oauth_grants', 'client_id'],
    ['oauth_apps', 'client_id'],
  ],
  key: [['api_keys', 'id']],
  project: [['projects', 'id']],
  schedule: [['schedules', 'id']],
};

/** 404 for a thing that is not of the account. */
export function* checkScope({ accountId, scope, scopeId }: Omit<OuterBudgetKey, 'period'>): Script<void> {
  // The account knows them, and the service does not until they have tasks.
  if (scope === 'external_user') return;
  for (const [table, column] of places[scope]) {
    const key = scope === 'account' ? { account_id: scopeId } : { account_id: accountId, [column]: scopeId };
    if ((scope !== 'account' || scopeId === accountId) && (yield* findRow(column, table, key))) return;
  }
  throw new Fault('not_found', `${scope} not found`, { param: 'id' });
}

export interface SetBudgetArgs extends OuterBudgetKey {
  /** Null removes the budget. */
  credits: number | null;
  /** The caller in the form of `actorOf`. */
  actor: string;
  now: number;
}

function change(args: SetBudgetArgs, isKnown: boolean): Statement[] {
  const { accountId, scope, scopeId, period, credits, now } = args;
  if (credits === null) {
    const { condition, params } = budgetWhere(args);
    // Without the holds: a new budget of the same name must not be relieved of what it never reserved.
    return ['budgets', 'budget_holds'].map((table) => sql(`DELETE FROM ${table} WHERE ${condition}`, ...params));
  }
  if (isKnown) return [changeLimit(args, { credits, onLimit: null }, now)];
  const key = { account_id: accountId, scope, scope_id: scopeId, period };
  const fresh = { used: 0, reserved: 0, period_at: periodAt(period, now).startMs, warned: 0 };
  return [insertRow('budgets', { ...key, credits, on_limit: 'wait', ...fresh, created_at: now, updated_at: now })];
}

/** The entry of the security record for a budget of more than a task. */
export function noteBudgetSet({
  accountId,
  scope,
  scopeId,
  period,
  credits,
  actor,
  now,
}: Omit<SetBudgetArgs, 'scope' | 'period'> & BudgetKey): Statement {
  const detail = { scope, id: scopeId, period, credits: credits === null ? 'none' : String(credits) };
  return noteSecurityEvent({ accountId, atMs: now, kind: 'budget_set', actor, detail });
}

/** How many budgets of which kind an account can have. */
const counted = {
  users: { most: maxUserBudgets, condition: "scope = 'external_user'" },
  others: { most: maxBudgets, condition: "scope IN ('account', 'application', 'key', 'project', 'schedule')" },
};

function* checkCount(accountId: string, { most, condition }: (typeof counted)['users']): Script<void> {
  const held = yield* selectOne(`SELECT COUNT(*) AS count FROM budgets WHERE account_id = ? AND ${condition}`, accountId);
  if (countRow.count(held) < most) return;
  throw new Fault('resource_exhausted', `An account can have ${most} budgets; remove one that is no longer needed.`);
}

/** Sets, changes or removes a budget. What it has counted stays counted; tasks that wait for a budget are tried again if there is more. */
export const setBudget: StoreOperation<SetBudgetArgs, Budget | null> = {
  name: 'budgets.set',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId, scope, scopeId, period, credits, now } = args;
    yield* lockAccount(accountId);
    const key = { account_id: accountId, scope, scope_id: scopeId, period };
    const known = yield* findRow('credits', 'budgets', key);
    // What a budget limited may be gone by now; the budget can still be removed.
    if (!known) yield* checkScope(args);
    if (!known && credits !== null) {
      yield* checkCount(accountId, scope === 'external_user' ? counted.users : counted.others);
    }
    // Tasks are locked before budgets.
    if (known && (credits === null || credits > budgetRow.credits(known))) yield [retryWaiting(accountId)];
    yield change(args, known !== undefined);
    yield [noteBudgetSet(args)];
    const stored = yield* findRow(budgetColumns.columns, 'budgets', key);
    return stored ? readCurrent(budgetColumns.read(stored), now) : null;
  },
  announce: () => [{ topic: 'budgets' }],
};

export interface ListBudgetsArgs {
  accountId: string;
  /** Exclusive: the last one of the previous page. */
  after: Omit<OuterBudgetKey, 'accountId'> | null;
  limit: number;
  now: number;
}

/** The budgets of an account besides those of its tasks, by scope, id and period. */
export const listBudgets: StoreOperation<ListBudgetsArgs, Budget[]> = {
  name: 'budgets.list',
  access: 'read',
  *run({ accountId, after, limit, now }) {
    const rows = yield* selectAll(
      `SELECT ${budgetColumns.columns} FROM budgets WHERE account_id = ? AND scope <> 'task' AND (scope, scope_id, period) > (?, ?, ?)
       ORDER BY scope, scope_id, period LIMIT ?`,
      accountId,
      after?.scope ?? '',
      after?.scopeId ?? '',
      after?.period ?? '',
      limit,
    );
    return rows.map((row) => readCurrent(budgetColumns.read(row), now));
  },
};
