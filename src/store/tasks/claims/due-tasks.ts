import { type Sharer, shareSlots } from '../../../rules/instance/fair-share.ts';
import { quarantineCrashes } from '../../../rules/tasks/crash-blame.ts';
import { taskRow } from '../../db/shared-rows.ts';
import { type Row, type RowLock, type Script, sql, type Statement } from '../../db/store-operation.ts';
import { besidesFull, type Claimant, limitedOf, personLimitOf } from './claim-limits.ts';
import { lockFirstOfEach, orderByPerson } from './due-people.ts';
import { crashesIfClaimed } from './quarantined-tasks.ts';

/** Accounts considered in one claim; the next claim continues after them. */
export const accountsPerClaim = 64;

/** The due tasks of an account that can be claimed now, by priority and then by how long they are due. */
export function selectDue({ accountId, freeSlots }: Claimant, limit: number, lock: RowLock = ''): Statement {
  const full = besidesFull(freeSlots);
  // Only limits ask for it.
  const personLimit = freeSlots
    ? { column: personLimitOf('tasks'), params: [accountId] }
    : { column: 'NULL AS person_limit', params: [] };
  return sql(
    `SELECT account_id, id, crashes, lease_owner, api_key_id, project_id, external_user_id, priority, wake_at, ${personLimit.column}
     FROM tasks WHERE account_id = ? AND wake_at <= errand_now() AND ${crashesIfClaimed} < ? ${full.condition}
     ORDER BY priority, wake_at LIMIT ? ${lock}`,
    ...[...personLimit.params, accountId, quarantineCrashes, ...full.params, limit],
  );
}

/** An account during a claim. */
interface Taker extends Sharer {
  claimant: Claimant;
  /** Rows by task. */
  rows: Map<string, Row>;
  /** Whether the account has no more tasks that can be claimed. */
  isDry: boolean;
}

/** Takes those of the found tasks for which there is a slot. */
function takeRows(taker: Taker, found: readonly Row[], share: number): void {
  const { freeSlots } = taker.claimant;
  for (const row of found) {
    const id = taskRow.id(row);
    if (taker.rows.size >= share) return;
    if (taker.rows.has(id) || (freeSlots && !freeSlots.has(limitedOf(row)))) continue;
    freeSlots?.occupy(limitedOf(row));
    taker.rows.set(id, row);
  }
}

/** The tasks that were locked for a worker. */
export interface LockedTasks {
  rows: Row[];
  hasMore: boolean;
  /** `SlotArgs.afterPeople` of the next claim. */
  afterPeople: ReadonlyMap<string, string>;
}

export interface SlotArgs {
  slots: number;
  /** Tasks of each person of an account that the worker holds. */
  heldOf(accountId: string, person: string): number;
  /** By account, the person of its product after whom this claim looks for first tasks, unless from the beginning. */
  afterPeople: ReadonlyMap<string, string>;
  /** Tasks of each account that the worker holds. */
  held: ReadonlyMap<string, number>;
  /** How many of them one account can have. */
  mostEach: number;
}

/** Due tasks of accounts, and whether these are all of each. */
interface Found {
  rows: Row[][];
  isAll: boolean[];
  /** The people after whom the next claim looks; '' for the beginning. */
  lastPeople: string[];
}

/**
 * Finds due tasks of these accounts, up to a number of each. If more are due and people of a product share, the first tasks of people other
 * than those who have waited longest are found, too.
 */
function* findDue(takers: readonly Taker[], limits: readonly number[], { afterPeople, heldOf }: SlotArgs): Script<Found> {
  const found = yield takers.map(({ claimant }, index) => selectDue(claimant, limits[index] ?? 0, 'FOR UPDATE SKIP LOCKED'));
  const isAll = takers.map((_, index) => (found[index] ?? []).length < (limits[index] ?? 0));
  const crowded = takers.flatMap(({ id, claimant }, index) => {
    if (!claimant.hasPeople || isAll[index]) return [];
    const [limit = 0, afterPerson = ''] = [limits[index], afterPeople.get(id)];
    return [{ index, claimant, limit, afterPerson, held: (person: string) => heldOf(id, person) }];
  });
  const locked = yield* lockFirstOfEach(crowded);
  const firsts = takers.map((_, index) => locked[crowded.findIndex((one) => one.index === index)]);
  const rows = firsts.map((first, index) => [...(found[index] ?? []), ...(first?.rows ?? [])]);
  return { rows, isAll, lastPeople: firsts.map((first) => first?.lastPerson ?? '') };
}

/**
 * Locks due tasks for the slots of a worker. What an account cannot use of its share, because its tasks are limited, are quarantined, or
 * were few, goes to the others, so no slot stays empty while a task could be claimed. `hasMore`: whether more may be due.
 */
export function* lockDue(claimants: readonly Claimant[], args: SlotArgs): Script<LockedTasks> {
  const { slots, held, heldOf, mostEach } = args;
  const takers = claimants.map((claimant): Taker => {
    const { accountId: id, weight, freeSlots } = claimant;
    const has = held.get(id) ?? 0;
    const most = Math.min(mostEach, has + (freeSlots?.ofAccount ?? Number.POSITIVE_INFINITY));
    return { id, weight, held: has, most, claimant, rows: new Map(), isDry: false };
  });
  const afterPeople = new Map(args.afterPeople);
  for (;;) {
    const shares = shareSlots(takers, slots);
    const short = takers.filter(({ id, rows }) => (shares.get(id) ?? 0) > rows.size);
    if (short.length === 0) break;
    // The tasks that it took before are found again.
    const limits = short.map(({ id, rows }) => (shares.get(id) ?? 0) + rows.size);
    const found = yield* findDue(short, limits, args);
    for (const [index, taker] of short.entries()) {
      const [rows = [], isAll = true] = [found.rows[index], found.isAll[index]];
      const [share, before] = [shares.get(taker.id) ?? 0, taker.rows.size];
      takeRows(taker, taker.claimant.hasPeople ? orderByPerson(rows, (person) => heldOf(taker.id, person)) : rows, share);
      taker.isDry = isAll;
      afterPeople.delete(taker.id);
      if (found.lastPeople[index]) afterPeople.set(taker.id, found.lastPeople[index]);
      // One that could take nothing of what was found would find the same again.
      if ((isAll || taker.rows.size === before) && taker.rows.size < share) taker.most = taker.held + taker.rows.size;
    }
  }
  return {
    rows: takers.flatMap(({ rows }) => [...rows.values()]),
    hasMore: takers.some(({ rows, isDry }) => rows.size > 0 && !isDry),
    afterPeople,
  };
}
