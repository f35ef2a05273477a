import { Fault } from '@errand/base/fault.ts';
import type { LimitScope, RunningLimit } from '../../rules/limits/running-limit.ts';
import { checkScope } from '../accounts/account-budgets.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { accountRow, countRow, taskRow } from '../db/shared-rows.ts';
import {
  type Script,
  type StoreOperation,
  findRow,
  lockAccount,
  type Row,
  selectAll,
  selectOne,
  sql,
} from '../db/store-operation.ts';
import { countRunning, limitRow } from '../tasks/claims/claim-limits.ts';

/** Of one account. */
const maxLimits = 100;

const limitColumns = limitRow.pick('scope, scope_id, tasks');

/** A limit with the number of tasks of its scope that run. */
export interface RunningLimitUse extends RunningLimit {
  running: number;
}

export interface SetLimitArgs {
  accountId: string;
  scope: LimitScope;
  scopeId: string;
  /** How many tasks run at once; null removes the limit. */
  tasks: number | null;
  /** As `actorOf` names callers. */
  actor: string;
  now: number;
}

function* checkCount(accountId: string): Script<void> {
  const text = 'SELECT COUNT(*) AS count FROM running_limits WHERE account_id = ? AND tasks IS NOT NULL';
  if (countRow.count(yield* selectOne(text, accountId)) < maxLimits) return;
  throw new Fault('resource_exhausted', `An account can have ${maxLimits} limits; remove one that is no longer needed.`);
}

/** Sets, changes or removes a limit of running tasks. Tasks that run already are not interrupted. */
export const setRunningLimit: StoreOperation<SetLimitArgs, null> = {
  name: 'limits.set',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId, scope, scopeId, tasks, actor, now } = args;
    yield* lockAccount(accountId);
    const key = { account_id: accountId, scope, scope_id: scopeId };
    const known = yield* findRow('tasks', 'running_limits', key);
    // What a limit was for may be gone by now; the limit can still be removed.
    if (!known) yield* checkScope(args);
    if (tasks !== null && (!known || limitRow.tasks(known) === null)) yield* checkCount(accountId);
    yield [
      tasks === null
        ? sql('DELETE FROM running_limits WHERE account_id = ? AND scope = ? AND scope_id = ?', accountId, scope, scopeId)
        : sql(
            `INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES (?, ?, ?, ?)
             ON CONFLICT (account_id, scope, scope_id) DO UPDATE SET tasks = excluded.tasks`,
            ...[accountId, scope, scopeId, tasks],
          ),
      noteSecurityEvent({
        ...{ accountId, atMs: now, kind: 'limit_set', actor },
        detail: { scope, id: scopeId, running_tasks: tasks === null ? 'none' : String(tasks) },
      }),
    ];
    return null;
  },
  // A higher one may let tasks start.
  announce: () => [{ topic: 'due' }],
};

function countOf(scope: LimitScope, scopeId: string, counted: readonly Row[]): number {
  const isOf = (row: Row) =>
    scope === 'account' || (scope === 'key' ? taskRow.api_key_id(row) : taskRow.project_id(row)) === scopeId;
  return counted.filter(isOf).reduce((sum, row) => sum + countRow.count(row), 0);
}

export interface AccountRunning {
  /** Tasks that run. */
  running: number;
  /** The operator's limit; null for none. */
  most: number | null;
  limits: RunningLimitUse[];
}

/** The limits of an account, with what runs now. `usualMost`: what the instance lets an account run whose operator says nothing. */
export const readRunningLimits: StoreOperation<{ accountId: string; usualMost: number | null }, AccountRunning> = {
  name: 'limits.read',
  access: 'read',
  *run({ accountId, usualMost }) {
    const rows = yield* selectAll(
      `SELECT ${limitColumns.columns} FROM running_limits WHERE account_id = ? AND tasks IS NOT NULL ORDER BY scope, scope_id`,
      accountId,
    );
    const [counted = []] = yield [countRunning(accountId)];
    const account = yield* findRow('max_running_tasks', 'accounts', { account_id: accountId });
    const limits = rows.map((row): RunningLimitUse => {
      const { scope, scopeId, tasks } = limitColumns.read(row);
      return { scope, scopeId, tasks: tasks ?? 0, running: countOf(scope, scopeId, counted) };
    });
    const most = (account && accountRow.max_running_tasks(account)) ?? usualMost;
    return { running: countOf('account', accountId, counted), most, limits };
  },
};

/** Every operation on limits of running tasks. */
export const limitOperations = [setRunningLimit, readRunningLimits];
