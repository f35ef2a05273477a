/**
 * The limits of running tasks, as a claim looks at them.
 *
 * A task runs while a worker holds its lease, so what runs is counted from the leases themselves and nothing has to be kept in step with
 * them. Claims of a limited account lock its limits before they count: two processes never give away the same place.
 */
import { usualWeight } from '../../../rules/instance/fair-share.ts';
import { FreePlaces, type LimitScope, type RunningLimit } from '../../../rules/limits/running-limit.ts';
import { computedCodec, flag, integer, nullable, oneOf, tableCodec, text } from '../../db/row-codec.ts';
import { countRow, accountRow, taskRow } from '../../db/shared-rows.ts';
import {
  compareText,
  marks,
  padToPowerOfTwo,
  repeat,
  type Row,
  type Script,
  selectAll,
  sql,
  type Statement,
} from '../../db/store-operation.ts';

/** `running_limits` */
export const limitRow = tableCodec('running_limits', {
  account_id: text,
  scope: oneOf<LimitScope>(),
  scope_id: text,
  tasks: nullable(integer),
});
const limitColumns = limitRow.pick('account_id, scope, scope_id, tasks');

const own = accountRow.pick('account_id, weight, max_running_tasks');
const joined = computedCodec('accounts with limits', { has_limits: flag });

/** How an account takes part in a claim. */
export interface Claimant {
  accountId: string;
  weight: number;
  /** Null if nothing limits it. */
  places: FreePlaces | null;
}

/** Counts the tasks of an account that run, by key and project: leases end in the future, and only few tasks besides wait for a time. */
export function countRunning(accountId: string): Statement {
  return sql(
    `SELECT api_key_id, project_id, COUNT(*) AS count FROM tasks INDEXED BY tasks_due WHERE account_id = ? AND priority IN (-1, 0, 1)
     AND wake_at > errand_now() AND lease_owner IS NOT NULL GROUP BY api_key_id, project_id`,
    accountId,
  );
}

/** Takes the places of an account's running tasks, as `countRunning` found them; returns how many run. */
export function occupyRunning(places: FreePlaces, counted: readonly Row[]): number {
  for (const row of counted) {
    places.occupy({ apiKeyId: taskRow.api_key_id(row), projectId: taskRow.project_id(row) }, countRow.count(row));
  }
  return counted.reduce((sum, row) => sum + countRow.count(row), 0);
}

/** The limits that were set for these accounts, locked if asked for. */
export function* selectLimits(accountIds: readonly string[], isLocked: boolean): Script<Map<string, RunningLimit[]>> {
  const padded = padToPowerOfTwo(accountIds);
  const rows = yield* selectAll(
    `SELECT ${limitColumns.columns} FROM running_limits WHERE account_id IN (${marks(padded.length)})
     ORDER BY account_id, scope, scope_id ${isLocked ? 'FOR UPDATE' : ''}`,
    ...padded,
  );
  const found = new Map<string, RunningLimit[]>();
  for (const { accountId, scope, scopeId, tasks } of rows.map(limitColumns.read)) {
    const limits = found.get(accountId) ?? [];
    found.set(accountId, limits);
    if (tasks !== null) limits.push({ scope, scopeId, tasks });
  }
  return found;
}

/** Stores rows that can be locked, for accounts that have only a limit of the operator. */
function* makeLockable(accountIds: readonly string[]): Script<void> {
  if (accountIds.length === 0) return;
  yield* selectAll(
    `INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES ${repeat("(?, 'account', ?, NULL)", accountIds.length)}
     ON CONFLICT (account_id, scope, scope_id) DO NOTHING RETURNING scope`,
    ...accountIds.flatMap((id) => [id, id]),
  );
}

interface LimitedAccount {
  accountId: string;
  weight: number;
  /** The operator's limit; null without one. */
  most: number | null;
  hasLimits: boolean;
}

function* selectAccounts(accountIds: readonly string[], usualMost: number | null): Script<Map<string, LimitedAccount>> {
  const padded = padToPowerOfTwo(accountIds);
  const rows = yield* selectAll(
    `SELECT ${own.columnsOf('a')}, CASE WHEN EXISTS (SELECT 1 FROM running_limits l WHERE l.account_id = a.account_id)
       THEN 1 ELSE 0 END AS has_limits FROM accounts a WHERE a.account_id IN (${marks(padded.length)})`,
    ...padded,
  );
  const found = rows.map((row): LimitedAccount => {
    const { accountId, weight, maxRunningTasks } = own.read(row);
    return { accountId, weight, most: maxRunningTasks ?? usualMost, hasLimits: joined.has_limits(row) };
  });
  return new Map(found.map((account) => [account.accountId, account]));
}

/**
 * What is to be known of accounts before tasks of them are claimed, in bytewise order of their ids. `usualMost`: the limit of running tasks
 * of every account that has none of its own from the operator; null for none. `isLocked`: whether tasks will be claimed by it.
 */
export function* readClaimants(
  accountIds: readonly string[],
  usualMost: number | null,
  isLocked: boolean,
): Script<Map<string, Claimant>> {
  const accounts = yield* selectAccounts(accountIds, usualMost);
  const limited = [...accounts.values()].filter(({ most, hasLimits }) => most !== null || hasLimits);
  const places = new Map<string, FreePlaces>();
  if (limited.length > 0) {
    const ids = limited.map(({ accountId }) => accountId).toSorted(compareText);
    if (isLocked) yield* makeLockable(ids.filter((id) => accounts.get(id)?.hasLimits === false));
    const limits = yield* selectLimits(ids, isLocked);
    const counted = yield ids.map(countRunning);
    for (const [index, id] of ids.entries()) {
      const most = accounts.get(id)?.most ?? null;
      const ofOperator: RunningLimit[] = most === null ? [] : [{ scope: 'account', scopeId: id, tasks: most }];
      const free = new FreePlaces([...(limits.get(id) ?? []), ...ofOperator]);
      occupyRunning(free, counted[index] ?? []);
      places.set(id, free);
    }
  }
  const claimants = accountIds.map((accountId): [string, Claimant] => {
    const weight = accounts.get(accountId)?.weight ?? usualWeight;
    return [accountId, { accountId, weight, places: places.get(accountId) ?? null }];
  });
  return new Map(claimants);
}
