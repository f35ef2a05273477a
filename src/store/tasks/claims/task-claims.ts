import { usualWeight } from '../../../rules/instance/fair-share.ts';
import type { LoggedEvent, RepeatReason, TaskEvent } from '../../../rules/events/task-event.ts';
import { firstEvents } from '../../../rules/tasks/task-command.ts';
import {
  type StoreOperation,
  padToPowerOfTwo,
  placeholders,
  type Row,
  type Script,
  sql,
  type Statement,
} from '../../db/store-operation.ts';
import { eventRow, readEvent } from '../../events/events.ts';
import type { Lease } from '../task-leases.ts';
import type { CreateTaskArgs } from '../tasks.ts';
import { computedCodec, integer, nullable } from '../../db/row-codec.ts';
import { taskRow } from '../../db/shared-rows.ts';
import {
  type AccountFacts,
  type Claimant,
  type ClaimingAccount,
  claimingColumns,
  limitedOf,
  readClaimants,
  readClaimingAccount,
} from './claim-limits.ts';
import { accountsPerClaim, lockDue, selectDue } from './due-tasks.ts';
import { chooseQuarantined, crashesIfClaimed, lastEndOf, lockQuarantined } from './quarantined-tasks.ts';

/** Accounts with more waiting people than a claim looks at, whose position among them is kept. */
const mostAfterPeople = 1024;

/** Logs with at most this many short events are returned with the claim, which saves a read for new tasks. */
const shortLog = 8;
const shortBody = 16_384;

export interface ClaimArgs {
  workerId: string;
  ttlMs: number;
  slots: number;
  /** Tasks of each account that this worker holds. */
  held: readonly (readonly [accountId: string, count: number])[];
  /** Tasks that this worker holds for each person of a product; '' for nobody. */
  heldByPerson?: readonly (readonly [accountId: string, person: string, count: number])[];
  /** How many of them one account can have; default: all. */
  mostEach?: number;
  /** Default limit of running tasks per account; default: any number. */
  usualMost?: number | null;
  /** Where the last claim ended; '' starts over. */
  afterAccount: string;
  /** For accounts with many waiting people, the one at whom the last claim ended (`ClaimResult`). */
  afterPeople?: readonly (readonly [accountId: string, person: string])[];
  canTakeQuarantined: boolean;
  /** Whether this worker runs nothing, so that a task on probation runs alone. */
  isIdle: boolean;
  /** Whether what happens to the tasks is exported as traces. */
  isTraced?: boolean;
}

export interface ClaimedTask extends Lease, AccountFacts {
  isInteractive: boolean;
  profile: string;
  locale: string;
  /** Deaths of its workers since it last made progress. */
  crashes: number;
  lastSeq: number;
  /** How the previous worker ended, if there was one. */
  lastEnd: RepeatReason;
  /** The parent that waits for this subtask. */
  parentId: string | null;
  /** Number of ancestors. */
  depth: number;
  /** The person of the account's product for whom the task runs; null for none. */
  externalUserId: string | null;
  /** The span that created the task; null for none. */
  traceparent: string | null;
  /** Whether there was a copy of its workspace when it was claimed. */
  hasWorkspaceSave: boolean;
  /** Whether the end of the task may free a slot for a task that a limit keeps waiting. */
  isLimited: boolean;
  /** The whole log if it is short, else null. */
  events: LoggedEvent[] | null;
}

interface ClaimResult {
  tasks: ClaimedTask[];
  /** Whether some account returned as many tasks as requested, so that it may have more. */
  hasMore: boolean;
  afterAccount: string;
  afterPeople: (readonly [accountId: string, person: string])[];
}

/** Accounts with due tasks, found by stepping from one to the next in the index of due tasks. */
function selectDueAccounts(afterAccount: string): Statement {
  return sql(
    `WITH RECURSIVE due (account_id) AS (
       SELECT (SELECT MIN(account_id) FROM tasks WHERE account_id > ? AND wake_at <= errand_now())
       UNION ALL
       SELECT (SELECT MIN(t.account_id) FROM tasks t WHERE t.account_id > due.account_id AND t.wake_at <= errand_now())
       FROM due WHERE due.account_id IS NOT NULL
     )
     SELECT ${claimingColumns('due')} FROM due WHERE due.account_id IS NOT NULL LIMIT ?`,
    afterAccount,
    accountsPerClaim,
  );
}

const claimed = taskRow.pick(
  'account_id, id as taskId, fence, interactive as isInteractive, profile, locale, crashes, last_seq, parent_id, depth, external_user_id, traceparent',
);

const savedRow = computedCodec('claimed tasks', { has_save: nullable(integer) });
/** Looked up with the claim, so that the tasks without one, which are nearly all, need no statement for it. */
const hasSave = `(SELECT 1 FROM workspace_saves s WHERE s.account_id = tasks.account_id AND s.task_id = tasks.id) AS has_save`;

/** The lease with which a task of this account was created. */
export function claimOf(task: CreateTaskArgs, ofAccount: AccountFacts): ClaimedTask {
  const { accountId, taskId, now, message, taskConfig } = task;
  // Through JSON, so that they equal what will be read from the log.
  const logged = JSON.parse(JSON.stringify(firstEvents(message, taskConfig))) as TaskEvent[];
  const events = logged.map((event, index) => ({ seq: index + 1, atMs: now + index, event }));
  const { isInteractive, profile, locale, externalUserId } = task;
  const asked = { isInteractive, profile, locale, externalUserId, traceparent: message.traceparent ?? null };
  const start = { parentId: null, depth: 0, crashes: 0, lastEnd: 'takeover' as const, isLimited: false, hasWorkspaceSave: false };
  return { accountId, taskId, fence: 1, lastSeq: events.length, ...asked, ...start, ...ofAccount, events };
}

function* takeLeases(
  rows: readonly Row[],
  claimants: ReadonlyMap<string, Claimant>,
  { workerId, ttlMs, isTraced = false }: ClaimArgs,
): Script<ClaimedTask[]> {
  const padded = padToPowerOfTwo(rows);
  const list = `IN (VALUES ${placeholders(padded.length, 2)})`;
  const params = padded.flatMap((row) => [taskRow.account_id(row), taskRow.id(row)]);
  const traceDue = isTraced ? ', trace_due_at = errand_now()' : '';
  const [taken = [], logs = []] = yield [
    sql(
      `UPDATE tasks SET lease_owner = ?, wake_at = errand_now() + ?, fence = fence + 1, crashes = ${crashesIfClaimed},
         search_due_at = errand_now()${traceDue} WHERE (account_id, id) ${list} RETURNING ${claimed.columns}, team_id, ${hasSave}`,
      workerId,
      ttlMs,
      ...params,
    ),
    sql(
      `SELECT task_id, seq, at, type, body FROM events WHERE (account_id, task_id) ${list} AND seq <= ? AND LENGTH(body) <= ?
       ORDER BY account_id, task_id, seq`,
      ...params,
      shortLog,
      shortBody,
    ),
  ];
  const byTask = Map.groupBy(logs, eventRow.task_id);
  const ends = new Map(rows.map((row) => [taskRow.id(row), lastEndOf(row)]));
  return taken.map((row): ClaimedTask => {
    const { lastSeq, ...task } = claimed.read(row);
    const [log, lastEnd] = [byTask.get(task.taskId) ?? [], ends.get(task.taskId) ?? 'takeover'];
    const account = claimants.get(task.accountId);
    const { weight = usualWeight, hasBrands = true, hasMemories = true, hasTeams = true } = account ?? {};
    const events = log.length === lastSeq ? log.map(readEvent) : null;
    const facts = { weight, hasBrands, hasMemories, hasTeams: hasTeams || taskRow.team_id(row) !== null };
    const stored = { ...facts, hasWorkspaceSave: savedRow.has_save(row) !== null };
    return { ...task, lastSeq, lastEnd, ...stored, isLimited: (account?.freeSlots ?? null) !== null, events };
  });
}

/** A quarantined task that has a slot, and whether it has to run alone. */
function* takeQuarantined(rows: readonly Row[], claimants: ReadonlyMap<string, Claimant>, isIdle: boolean) {
  const slotsOf = (row: Row) => claimants.get(taskRow.account_id(row))?.freeSlots ?? null;
  const chosen = yield* chooseQuarantined(rows, { isIdle, hasSlot: (row) => slotsOf(row)?.has(limitedOf(row)) ?? true });
  if (chosen.row) slotsOf(chosen.row)?.occupy(limitedOf(chosen.row));
  return chosen;
}

/**
 * Claims up to `slots` due tasks, shared between the accounts that have some, within the limits of running tasks, and at most one
 * quarantined task.
 */
export const claimTasks: StoreOperation<ClaimArgs, ClaimResult> = {
  name: 'leases.claim',
  access: 'exclusive',
  *run(args) {
    // One question, because a task that is alone waits for each of them.
    const quarantinedRows = args.canTakeQuarantined ? [lockQuarantined(args.isIdle)] : [];
    const [behind = [], crashed = []] = yield [selectDueAccounts(args.afterAccount), ...quarantinedRows];
    const beginsAnew = behind.length === 0 && args.afterAccount !== '';
    const accounts = (beginsAnew ? ((yield [selectDueAccounts('')])[0] ?? []) : behind).map(readClaimingAccount);
    if (accounts.length === 0) return { tasks: [], hasMore: false, afterAccount: '', afterPeople: [] };
    const accountIds = accounts.map(({ accountId }) => accountId);
    const known = new Map([...accounts, ...crashed.map(readClaimingAccount)].map((account) => [account.accountId, account]));
    const claimants = yield* readClaimants([...known.values()], args.usualMost ?? null, true);
    const { row: quarantined, isAlone } = yield* takeQuarantined(crashed, claimants, args.isIdle);
    const slots = isAlone ? 0 : args.slots - (quarantined ? 1 : 0);
    const { mostEach = Number.POSITIVE_INFINITY, heldByPerson = [], afterPeople = [] } = args;
    const ofPeople = new Map(heldByPerson.map(([accountId, person, count]) => [`${accountId} ${person}`, count]));
    const locked = yield* lockDue(
      accountIds.flatMap((id) => claimants.get(id) ?? []),
      {
        ...{ slots, held: new Map(args.held), mostEach, afterPeople: new Map(afterPeople) },
        heldOf: (accountId, person) => ofPeople.get(`${accountId} ${person}`) ?? 0,
      },
    );
    const rows = quarantined ? [quarantined, ...locked.rows] : locked.rows;
    const tasks = rows.length > 0 ? yield* takeLeases(rows, claimants, args) : [];
    const isFullRound = accountIds.length === accountsPerClaim;
    // A round that started over and claimed nothing would find nothing the next time either.
    const hasMoreRounds = isFullRound && (tasks.length > 0 || !beginsAnew);
    const afterAccount = isFullRound ? (accountIds.at(-1) ?? '') : '';
    // A round over all accounts forgets those without due tasks.
    const isOverAll = !isFullRound && (beginsAnew || args.afterAccount === '');
    const kept = [...locked.afterPeople].filter(([id]) => !isOverAll || claimants.has(id)).slice(-mostAfterPeople);
    return { tasks, hasMore: locked.hasMore || hasMoreRounds, afterAccount, afterPeople: kept };
  },
  measure: (_, { tasks }) => [{ counter: 'errand_tasks_claimed_total', count: tasks.length }],
};

export interface StarvedArgs {
  /** Accounts that already have running tasks here. */
  heldAccounts: readonly string[];
  /** The default limit of running tasks of an account; absent or null for any number (`ClaimArgs`). */
  usualMost?: number | null;
}

/** Whether one of these accounts has a task that could be claimed. */
function* canAnyClaim(accounts: readonly ClaimingAccount[], usualMost: number | null): Script<boolean> {
  if (accounts.length === 0) return false;
  for (const claimant of (yield* readClaimants(accounts, usualMost, false)).values()) {
    if (claimant.freeSlots?.ofAccount === 0) continue;
    const [rows = []] = yield [selectDue(claimant, 1)];
    if (rows.length > 0) return true;
  }
  return false;
}

/** Whether an account without running tasks here has a task due that could be claimed. */
export const findStarvedAccount: StoreOperation<StarvedArgs, boolean> = {
  name: 'leases.findStarved',
  access: 'read',
  *run({ heldAccounts, usualMost = null }) {
    const held = new Set(heldAccounts);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const [rows = []]: readonly Row[][] = yield [selectDueAccounts(after)];
      const accounts = rows.map(readClaimingAccount);
      const starved = accounts.filter(({ accountId }) => !held.has(accountId));
      if (yield* canAnyClaim(starved, usualMost)) return true;
      after = accounts.length < accountsPerClaim ? undefined : accounts.at(-1)?.accountId;
    }
    return false;
  },
};
