import { Fault } from '@errand/base/fault.ts';
import { eachPerson, type LimitScope, type RunningLimit } from '../../rules/limits/running-limit.ts';
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

/** The most limits of one account: of single people of its product (`maxPersonLimits`), and of everything else (`maxLimits`). */
const maxPersonLimits = 1_000_000;
const maxLimits = 100;

const limitColumns = limitRow.pick('scope, scope_id, tasks');

/** A limit with the number of tasks of its scope that run. */
export interface RunningLimitUse extends RunningLimit {
  /** Null for the limit of each person. */
  running: number | null;
}

export interface SetLimitArgs {
  accountId: string;
  scope: LimitScope;
  scopeId: string;
  /** How many tasks run at once; null removes the limit. */
  tasks: number | null;
  /** The caller in the form of `actorOf`. */
  actor: string;
  now: number;
}

function* checkCount({ accountId, scope, scopeId }: SetLimitArgs): Script<void> {
  const ofPerson = `scope = 'external_user' AND scope_id <> ''`;
  const [most, condition] =
    scope === 'external_user' && scopeId !== eachPerson ? [maxPersonLimits, ofPerson] : [maxLimits, `NOT (${ofPerson})`];
  const text = `SELECT COUNT(*) AS count FROM running_limits WHERE account_id = ? AND tasks IS NOT NULL AND ${condition}`;
  if (countRow.count(yield* selectOne(text, accountId)) < most) return;
  throw new Fault('resource_exhausted', `An account can have ${most} limits; remove one that is no longer needed.`);
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
    if (tasks !== null && (!known || limitRow.tasks(known) === null)) yield* checkCount(args);
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
  const columns = { key: taskRow.api_key_id, project: taskRow.project_id, external_user: taskRow.external_user_id };
  const isOf = (row: Row) => scope === 'account' || columns[scope](row) === scopeId;
  return counted.filter(isOf).reduce((sum, row) => sum + countRow.count(row), 0);
}

export interface AccountRunning {
  /** Tasks that run. */
  running: number;
  /** The operator's limit; null for none. */
  most: number | null;
  limits: RunningLimitUse[];
}

export interface ReadLimitsArgs {
  accountId: string;
  /** What the instance lets an account run whose operator says nothing. */
  usualMost: number | null;
  /** Exclusive: the last one of the previous page. */
  after: Pick<RunningLimit, 'scope' | 'scopeId'> | null;
  limit: number;
}

/** A page of the limits of an account, by scope and id, with what runs now. */
export const readRunningLimits: StoreOperation<ReadLimitsArgs, AccountRunning> = {
  name: 'limits.read',
  access: 'read',
  *run({ accountId, usualMost, after, limit }) {
    const rows = yield* selectAll(
      `SELECT ${limitColumns.columns} FROM running_limits WHERE account_id = ? AND tasks IS NOT NULL AND (scope, scope_id) > (?, ?)
       ORDER BY scope, scope_id LIMIT ?`,
      ...[accountId, after?.scope ?? '', after?.scopeId ?? '', limit],
    );
    const [counted = []] = yield [countRunning(accountId)];
    const account = yield* findRow('max_running_tasks', 'accounts', { account_id: accountId });
    const limits = rows.map((row): RunningLimitUse => {
      const { scope, scopeId, tasks } = limitColumns.read(row);
      // A limit that applies to each person has no single count.
      const isOfEach = scope === 'external_user' && scopeId === eachPerson;
      return { scope, scopeId, tasks: tasks ?? 0, running: isOfEach ? null : countOf(scope, scopeId, counted) };
    });
    const most = (account && accountRow.max_running_tasks(account)) ?? usualMost;
    return { running: countOf('account', accountId, counted), most, limits };
  },
};

/** Every operation on limits of running tasks. */
export const limitOperations = [setRunningLimit, readRunningLimits];
