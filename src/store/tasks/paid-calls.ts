/**
 * The log of a task whose cost budgets limit.
 *
 * Before a model call, its worst case is reserved in every budget of its task, in the transaction that logs its start; what it has cost is
 * counted in the transaction that logs its outcome, and is never more than what was reserved. So no number of tasks and processes spends
 * more than a budget. Each of these writes has a transaction of its own, which locks the task first and then its budgets in a fixed order.
 */
import type { ReachedLimit } from '../../rules/budgets/budget.ts';
import type { CallDemand } from '../../rules/budgets/reservation.ts';
import { costPerCredit, creditsOf, meterEvents } from '../../rules/credits/pricing.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { applyEvents } from '../../rules/tasks/task-status.ts';
import { countSpent, keepHolds, markWarned, releaseHolds } from '../budgets/budget-holds.ts';
import { type Budget, budgetColumns, budgetWhere } from '../budgets/budget-rows.ts';
import { type BudgetedTask, fitCall, lockShares, reserve } from '../budgets/reservations.ts';
import { taskRow } from '../db/shared-rows.ts';
import type { Logged } from '../events/events.ts';
import { findRow, lockRow, type Row, type Script, sql, type StoreOperation } from '../db/store-operation.ts';
import { type AppendArgs, appendEvents, type AppendResult, type Lease } from './task-leases.ts';

const metered = taskRow.pick(
  'id, session_cost, open_cost, budget_hold, budget_root, parent_id, project_id, api_key_id, oauth_client_id, external_user_id, schedule_id, last_seq',
);
type MeteredTask = ReturnType<typeof metered.read>;

function* lockLeased({ accountId, taskId, fence }: Lease): Script<MeteredTask | null> {
  const row = yield* lockRow(metered.columns, 'tasks', { account_id: accountId, id: taskId, fence });
  return row ? metered.read(row) : null;
}

/** The schedule that started the task, or an ancestor of it. */
function* findSchedule(accountId: string, { parentId, scheduleId }: MeteredTask): Script<string | null> {
  let [parent, schedule] = [parentId, scheduleId];
  while (parent !== null && schedule === null) {
    const row: Row | undefined = yield* findRow('parent_id, schedule_id', 'tasks', { account_id: accountId, id: parent });
    [parent, schedule] = row ? [taskRow.parent_id(row), taskRow.schedule_id(row)] : [null, null];
  }
  return schedule;
}

export interface BeginArgs extends Lease {
  now: number;
  /** The event that starts the call. */
  start: TaskEvent;
  demand: CallDemand;
  /** The last number that the caller knows of the log, or null for any (`appendEvents`). */
  expectSeq: number | null;
}

export type BeginResult =
  /** `outputLimit`: how long the reply may be. */
  | (Logged & { outputLimit: number })
  | { outcome: 'lost' }
  | { outcome: 'behind' }
  /** The call fits only once a call of another task has ended. */
  | { outcome: 'busy' }
  | { outcome: 'refused'; limit: ReachedLimit };

/** Removes the session's hold from the task's row: earlier budgets no longer limit its further calls. */
function endHold({ accountId, taskId }: Lease) {
  return sql('UPDATE tasks SET budget_hold = NULL WHERE account_id = ? AND id = ?', accountId, taskId);
}

/** Remembers that the warning about this use of a budget was given. */
function noteWarned(accountId: string, budget: Budget) {
  const { condition, params } = budgetWhere({ accountId, ...budget });
  return sql(`UPDATE budgets SET warned = 1 WHERE ${condition}`, ...params);
}

/** Logs the start of a model call if its worst case fits into all budgets of its task, perhaps with a shorter reply. */
export const beginPaidCall: StoreOperation<BeginArgs, BeginResult> = {
  name: 'budgets.beginCall',
  access: 'exclusive',
  *run({ start, demand, ...args }) {
    const { accountId, taskId, now } = args;
    const task = yield* lockLeased(args);
    if (!task) return { outcome: 'lost' };
    if (args.expectSeq !== null && task.lastSeq !== args.expectSeq) return { outcome: 'behind' };
    // A call that another worker began and did not end is charged as estimated.
    const spent = task.sessionCost + task.openCost;
    if (task.budgetHold !== null) {
      const credits = Math.min(creditsOf(spent), task.budgetHold);
      yield [...countSpent(args, credits), ...keepHolds(args, credits)];
    }
    const { budgetRoot: rootId, projectId, apiKeyId, oauthClientId, externalUserId } = task;
    const scheduleId = yield* findSchedule(accountId, task);
    const from = { projectId, apiKeyId, oauthClientId, externalUserId, scheduleId };
    const budgeted: BudgetedTask = { accountId, taskId, rootId, ...from };
    const shares = yield* lockShares(budgeted, now);
    const fitting = fitCall(shares, spent, demand, now);
    if (fitting.outcome === 'refused') {
      yield [noteWarned(accountId, fitting.budget)];
      return { outcome: 'refused', limit: fitting.limit };
    }
    if (fitting.outcome === 'busy') return fitting;
    yield shares.length > 0 ? reserve(args, shares, fitting.hold, now) : [endHold(args)];
    const logged = yield* appendEvents.run({ ...args, events: [start], isBudgeted: true });
    return logged.outcome === 'logged' ? { ...logged, outputLimit: fitting.output } : { outcome: 'lost' };
  },
  announce: ({ taskId }, { outcome }) => (outcome === 'logged' ? [{ topic: 'task', taskId }] : []),
};

/** Caps costs at the reservation: the caller is never charged more, even if the provider counts more. */
function capCosts(events: readonly TaskEvent[], most: number): TaskEvent[] {
  let left = most;
  return events.map((event) => {
    if (!('cost' in event) || event.cost === undefined) return event;
    const cost = Math.min(event.cost, Math.max(0, left));
    left -= cost;
    return { ...event, cost };
  });
}

/** What a session has cost after these events, and whether no call is open then. */
function measure({ sessionCost, openCost }: MeteredTask, events: readonly TaskEvent[]) {
  const isOver = applyEvents('running', events) !== 'running';
  const { chargesOpen, cost, open } = meterEvents(events);
  const isOpenCharged = chargesOpen || (isOver && open === null);
  return { isOver, spent: sessionCost + cost + (isOpenCharged ? openCost : 0), isCostKnown: isOver || open !== null };
}

function warn({ scope, period, credits, used }: Budget): TaskEvent {
  return { type: 'budget_warning', scope, period, credits, used };
}

/** Counts what a call has cost; returns the warnings that are due. */
function* spend(args: AppendArgs, hold: number, spent: number, isOver: boolean): Script<TaskEvent[]> {
  const credits = Math.min(creditsOf(spent), hold);
  yield countSpent(args, credits);
  const [warned = []] = yield [markWarned(args, budgetColumns.columns)];
  yield isOver ? [releaseHolds(args)] : keepHolds(args, credits);
  return warned.map(budgetColumns.read).map(warn);
}

/** Whether a budget ends the session. */
function isByLimit(event: TaskEvent): boolean {
  return event.type === 'waiting' ? event.budget !== undefined : event.type === 'error' && event.errorType === 'budget_exceeded';
}

/** Appends what may end a model call or a session of a task with budgets. */
export const appendPaid: StoreOperation<AppendArgs, AppendResult> = {
  name: 'budgets.append',
  access: 'exclusive',
  *run(args) {
    const task = yield* lockLeased(args);
    if (!task) return { outcome: 'lost' };
    if (args.expectSeq !== null && task.lastSeq !== args.expectSeq) return { outcome: 'behind' };
    const { budgetHold: hold } = task;
    const events = hold === null ? args.events : capCosts(args.events, hold * costPerCredit - task.sessionCost);
    const { isOver, spent, isCostKnown } = measure(task, events);
    const warnings = hold !== null && isCostKnown ? yield* spend(args, hold, spent, isOver) : [];
    // A session that the limit ended before its first call costs nothing.
    const isFree = isOver && hold === null && spent === 0 && events.some(isByLimit);
    const changed = [...warnings, ...events];
    const result = yield* appendEvents.run({ ...args, events: changed, isBudgeted: true, isFree });
    return result.outcome === 'logged' ? { ...result, changed } : result;
  },
  ...(appendEvents.announce && { announce: appendEvents.announce }),
  ...(appendEvents.measure && { measure: appendEvents.measure }),
};
