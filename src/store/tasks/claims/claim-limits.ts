/**
 * The limits of running tasks, as a claim looks at them.
 *
 * A task runs while a worker holds its lease, so what runs is counted from the leases themselves and nothing has to be kept in step with
 * them. Claims of a limited account lock its limits before they count: two processes never give away the same place.
 */
import { usualWeight } from '../../../rules/instance/fair-share.ts';
import { FreePlaces, type LimitScope, type RunningLimit } from '../../../rules/limits/running-limit.ts';
import { computedCodec, integer, nullable, oneOf, tableCodec, text } from '../../db/row-codec.ts';
import { countRow, taskRow } from '../../db/shared-rows.ts';
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
function* selectLimits(accountIds: readonly string[], isLocked: boolean): Script<Map<string, RunningLimit[]>> {
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

/** Locks the limits of these accounts, each of which has at least one row of them afterwards. */
function* lockLimits(accounts: readonly ClaimingAccount[]): Script<Map<string, RunningLimit[]>> {
  const ids = accounts.map(({ accountId }) => accountId);
  yield* makeLockable(accounts.filter(({ hasLimits }) => !hasLimits).map(({ accountId }) => accountId));
  const limits = yield* selectLimits(ids, true);
  // Somebody may have removed the limits of an account since they were seen: two claims would lock nothing and count side by side.
  const bare = ids.filter((id) => !limits.has(id));
  if (bare.length === 0) return limits;
  yield* makeLockable(bare);
  return yield* selectLimits(ids, true);
}

/** What an account may run, as far as it is known before its limits are locked. */
export interface ClaimingAccount {
  accountId: string;
  weight: number;
  /** The operator's limit; null without one. */
  most: number | null;
  hasLimits: boolean;
}

const claiming = computedCodec('claiming accounts', {
  account_id: text,
  weight: nullable(integer),
  most: nullable(integer),
  has_limits: nullable(integer),
});

/**
 * The columns of a `ClaimingAccount`, looked up by key for each row of `table`: joined, a plan may read all accounts of the instance to find
 * those of a few tasks.
 */
export function claimingColumns(table: string): string {
  const own = `FROM accounts a WHERE a.account_id = ${table}.account_id`;
  return `${table}.account_id, (SELECT a.weight ${own}) AS weight, (SELECT a.max_running_tasks ${own}) AS most,
    (SELECT 1 FROM running_limits l WHERE l.account_id = ${table}.account_id LIMIT 1) AS has_limits`;
}

/** A row with `claimingColumns`. */
export function readClaimingAccount(row: Row): ClaimingAccount {
  const weight = claiming.weight(row) ?? usualWeight;
  return { accountId: claiming.account_id(row), weight, most: claiming.most(row), hasLimits: claiming.has_limits(row) !== null };
}

/**
 * What is to be known of accounts before tasks of them are claimed. `usualMost`: the limit of running tasks of every account that has none
 * of its own from the operator; null for none. `isLocked`: whether tasks will be claimed by it.
 */
export function* readClaimants(
  accounts: readonly ClaimingAccount[],
  usualMost: number | null,
  isLocked: boolean,
): Script<Map<string, Claimant>> {
  const mostOf = ({ most }: ClaimingAccount) => most ?? usualMost;
  const limited = accounts
    .filter((account) => mostOf(account) !== null || account.hasLimits)
    .toSorted((one, other) => compareText(one.accountId, other.accountId));
  const places = new Map<string, FreePlaces>();
  if (limited.length > 0) {
    const ids = limited.map(({ accountId }) => accountId);
    const limits = isLocked ? yield* lockLimits(limited) : yield* selectLimits(ids, false);
    const counted = yield ids.map(countRunning);
    for (const [index, account] of limited.entries()) {
      const { accountId } = account;
      const most = mostOf(account);
      const ofOperator: RunningLimit[] = most === null ? [] : [{ scope: 'account', scopeId: accountId, tasks: most }];
      const free = new FreePlaces([...(limits.get(accountId) ?? []), ...ofOperator]);
      occupyRunning(free, counted[index] ?? []);
      places.set(accountId, free);
    }
  }
  return new Map(
    accounts.map(({ accountId, weight }) => [accountId, { accountId, weight, places: places.get(accountId) ?? null }]),
  );
}
