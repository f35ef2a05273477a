/**
 * The limits of running tasks, as a claim looks at them.
 *
 * A task runs while a worker holds its lease, so what runs is counted from the leases themselves and nothing has to be kept in step with
 * them. Claims of a limited account lock its limits before they count: two processes never give away the same slot.
 */
import { usualWeight } from '../../../rules/instance/fair-share.ts';
import {
  FreeSlots,
  type LimitedTask,
  type LimitScope,
  type PartScope,
  partScopes,
  type RunningLimit,
} from '../../../rules/limits/running-limit.ts';
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
  type SqlValue,
  type Statement,
  type RowLock,
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
export interface Claimant extends AccountFacts {
  accountId: string;
  /** Null if nothing limits it. */
  freeSlots: FreeSlots | null;
  /** Whether tasks of people of its product wait or run, who then share its slots. */
  hasPeople: boolean;
}

/** The limit of the person of a task of `table`, in a statement about one account, which is its parameter. */
export function personLimitOf(table: string): string {
  return `(SELECT l.tasks FROM running_limits l WHERE l.account_id = ? AND l.scope = 'external_user'
    AND l.scope_id = ${table}.external_user_id) AS person_limit`;
}

const personLimit = computedCodec('limits of people', { person_limit: nullable(integer) });

/** The limits that apply to a task, from a row with `personLimitOf`. */
export function limitedOf(row: Row): LimitedTask {
  return {
    apiKeyId: taskRow.api_key_id(row),
    projectId: taskRow.project_id(row),
    externalUserId: taskRow.external_user_id(row),
    personLimit: personLimit.person_limit(row),
  };
}

/** How many full limits one statement excludes; tasks under further ones are found and skipped. */
const mostFull = 4096;

const scopeColumns = { key: 'api_key_id', project: 'project_id', external_user: 'external_user_id' } as const;

/** SQL condition that a task belongs to no key, project, or person without free slots; by these columns, if they are given. */
export function besidesFull(
  slots: FreeSlots | null,
  columns: Partial<Record<PartScope, string>> = scopeColumns,
): { condition: string; params: SqlValue[] } {
  const parts = partScopes.flatMap((scope) => {
    const [column, full] = [columns[scope], slots?.listFull(scope).slice(0, mostFull) ?? []];
    if (column === undefined || full.length === 0) return [];
    const params = padToPowerOfTwo(full);
    return [{ condition: `AND (${column} IS NULL OR ${column} NOT IN (${marks(params.length)}))`, params }];
  });
  return { condition: parts.map(({ condition }) => condition).join(' '), params: parts.flatMap(({ params }) => params) };
}

/**
 * Counts the running tasks of an account, by key, project, and, if people have limits, person. They are found by their time in the queue:
 * their leases end in the future, and few other tasks are due in the future.
 */
export function countRunning(accountId: string): Statement {
  return sql(
    `SELECT r.*, ${personLimitOf('r')} FROM (
       SELECT api_key_id, project_id, external_user_id, COUNT(*) AS count FROM (
         SELECT api_key_id, project_id, CASE WHEN EXISTS (
             SELECT 1 FROM running_limits WHERE account_id = ? AND scope = 'external_user'
           ) THEN external_user_id END AS external_user_id
         FROM tasks INDEXED BY tasks_due
         WHERE account_id = ? AND priority IN (-1, 0, 1) AND wake_at > errand_now() AND lease_owner IS NOT NULL
       ) AS running GROUP BY api_key_id, project_id, external_user_id
     ) AS r`,
    accountId,
    accountId,
    accountId,
  );
}

/** Takes the slots of an account's running tasks, as `countRunning` found them; returns how many run. */
function occupyRunning(slots: FreeSlots, counted: readonly Row[]): number {
  for (const row of counted) slots.occupy(limitedOf(row), countRow.count(row));
  return counted.reduce((sum, row) => sum + countRow.count(row), 0);
}

/** The limits that were set for these accounts, besides those of single people. */
function* selectLimits(accountIds: readonly string[], lock: RowLock): Script<Map<string, RunningLimit[]>> {
  const padded = padToPowerOfTwo(accountIds);
  const rows = yield* selectAll(
    `SELECT ${limitColumns.columns} FROM running_limits WHERE account_id IN (${marks(padded.length)})
     AND (scope <> 'external_user' OR scope_id = '')
     ORDER BY account_id, scope, scope_id ${lock}`,
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

/** Stores rows that can be locked, for accounts whose only limit is the operator's. */
function* makeLockable(accountIds: readonly string[]): Script<void> {
  if (accountIds.length === 0) return;
  yield* selectAll(
    `INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES ${repeat("(?, 'account', ?, NULL)", accountIds.length)}
     ON CONFLICT (account_id, scope, scope_id) DO NOTHING RETURNING scope`,
    ...accountIds.flatMap((id) => [id, id]),
  );
}

/** Locks the limits of these accounts; each has at least one row of limits afterwards. */
function* lockLimits(accounts: readonly ClaimingAccount[]): Script<Map<string, RunningLimit[]>> {
  const ids = accounts.map(({ accountId }) => accountId);
  yield* makeLockable(accounts.filter(({ hasLimits }) => !hasLimits).map(({ accountId }) => accountId));
  const limits = yield* selectLimits(ids, 'FOR UPDATE');
  // Somebody may have removed the limits of an account since they were seen: two claims would lock nothing and count side by side.
  const bare = ids.filter((id) => !limits.has(id));
  if (bare.length === 0) return limits;
  yield* makeLockable(bare);
  return yield* selectLimits(ids, 'FOR UPDATE');
}

/** What a worker knows about the account of a task without asking for it. */
export interface AccountFacts {
  /** Its share of the workers. */
  weight: number;
  /** Whether it had brands and memories of any kind, and it was or the task is in a team, when the task was claimed. */
  hasBrands: boolean;
  hasMemories: boolean;
  hasTeams: boolean;
}

/** What an account may run, as far as it is known before its limits are locked. */
export interface ClaimingAccount extends AccountFacts {
  accountId: string;
  /** The operator's limit; null without one. */
  most: number | null;
  hasLimits: boolean;
  hasPeople: boolean;
}

const claiming = computedCodec('claiming accounts', {
  account_id: text,
  weight: nullable(integer),
  most: nullable(integer),
  has_limits: nullable(integer),
  any_person: nullable(text),
  has_brands: nullable(integer),
  has_memories: nullable(integer),
  has_teams: nullable(integer),
});

/**
 * The columns of a `ClaimingAccount`, looked up by key for each row of `table`: in a join, a plan may read all accounts of the instance to
 * find those of a few tasks.
 */
export function claimingColumns(table: string): string {
  const own = `FROM accounts a WHERE a.account_id = ${table}.account_id`;
  return `${table}.account_id, (SELECT a.weight ${own}) AS weight, (SELECT a.max_running_tasks ${own}) AS most,
    (SELECT 1 FROM running_limits l WHERE l.account_id = ${table}.account_id LIMIT 1) AS has_limits,
    (SELECT u.external_user_id FROM tasks u INDEXED BY tasks_due_by_person WHERE u.account_id = ${table}.account_id
      AND u.external_user_id > '' AND u.wake_at IS NOT NULL ORDER BY u.external_user_id, u.priority, u.wake_at LIMIT 1) AS any_person,
    (SELECT 1 FROM brands b WHERE b.account_id = ${table}.account_id LIMIT 1) AS has_brands,
    (SELECT 1 FROM memory_stores m WHERE m.account_id = ${table}.account_id LIMIT 1) AS has_memories,
    COALESCE((SELECT 1 FROM team_members c WHERE c.account_id = ${table}.account_id),
      (SELECT 1 FROM other_memberships o WHERE o.account_id = ${table}.account_id LIMIT 1)) AS has_teams`;
}

/** A row with `claimingColumns`. */
export function readClaimingAccount(row: Row): ClaimingAccount {
  const weight = claiming.weight(row) ?? usualWeight;
  const [hasLimits, hasPeople] = [claiming.has_limits(row) !== null, claiming.any_person(row) !== null];
  const facts = {
    weight,
    hasBrands: claiming.has_brands(row) !== null,
    hasMemories: claiming.has_memories(row) !== null,
    hasTeams: claiming.has_teams(row) !== null,
  };
  return { accountId: claiming.account_id(row), most: claiming.most(row), hasLimits, hasPeople, ...facts };
}

/**
 * What must be known about accounts before their tasks are claimed. `usualMost` is the default limit of running tasks; null for none.
 * `isLocked` says whether tasks will be claimed by the result.
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
  const freeSlots = new Map<string, FreeSlots>();
  if (limited.length > 0) {
    const ids = limited.map(({ accountId }) => accountId);
    const limits = isLocked ? yield* lockLimits(limited) : yield* selectLimits(ids, '');
    const counted = yield ids.map(countRunning);
    for (const [index, account] of limited.entries()) {
      const { accountId } = account;
      const most = mostOf(account);
      const ofOperator: RunningLimit[] = most === null ? [] : [{ scope: 'account', scopeId: accountId, tasks: most }];
      const free = new FreeSlots([...(limits.get(accountId) ?? []), ...ofOperator]);
      occupyRunning(free, counted[index] ?? []);
      freeSlots.set(accountId, free);
    }
  }
  return new Map(
    accounts.map((account) => [account.accountId, { ...account, freeSlots: freeSlots.get(account.accountId) ?? null }]),
  );
}
