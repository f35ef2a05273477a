import { type Sharer, shareSlots } from '../../../rules/instance/fair-share.ts';
import { quarantineCrashes } from '../../../rules/tasks/crash-blame.ts';
import { taskRow } from '../../db/shared-rows.ts';
import { marks, padToPowerOfTwo, type Row, type Script, sql, type SqlValue, type Statement } from '../../db/store-operation.ts';
import type { Claimant } from './claim-limits.ts';
import { crashesIfClaimed } from './quarantined-tasks.ts';

/** Accounts considered in one claim; the next claim continues after them. */
export const accountsPerClaim = 64;

/** What limits apply to of a locked task. */
export function limitedOf(row: Row) {
  return { apiKeyId: taskRow.api_key_id(row), projectId: taskRow.project_id(row) };
}

/** SQL condition that a task is of none of these keys or projects. */
function besides(column: string, ids: readonly string[]): { condition: string; params: SqlValue[] } {
  if (ids.length === 0) return { condition: '', params: [] };
  const padded = padToPowerOfTwo(ids);
  return { condition: `AND (${column} IS NULL OR ${column} NOT IN (${marks(padded.length)}))`, params: padded };
}

/** The due tasks of an account that can be claimed now, by priority and then by how long they are due. */
export function selectDue({ accountId, places }: Claimant, limit: number, lock = ''): Statement {
  const [keys, projects] = [
    besides('api_key_id', places?.listFull('key') ?? []),
    besides('project_id', places?.listFull('project') ?? []),
  ];
  return sql(
    `SELECT account_id, id, crashes, lease_owner, api_key_id, project_id FROM tasks
     WHERE account_id = ? AND wake_at <= errand_now() AND ${crashesIfClaimed} < ? ${keys.condition} ${projects.condition}
     ORDER BY priority, wake_at LIMIT ? ${lock}`,
    ...[accountId, quarantineCrashes, ...keys.params, ...projects.params, limit],
  );
}

/** An account during a claim. */
interface Taker extends Sharer {
  claimant: Claimant;
  /** By task. */
  rows: Map<string, Row>;
  /** Whether it has no more tasks that can be claimed. */
  isDry: boolean;
}

/** Takes those of the found tasks for which there is a place. */
function takeRows(taker: Taker, found: readonly Row[], share: number): void {
  const { places } = taker.claimant;
  for (const row of found) {
    const id = taskRow.id(row);
    if (taker.rows.size >= share) return;
    if (taker.rows.has(id) || (places && !places.has(limitedOf(row)))) continue;
    places?.occupy(limitedOf(row));
    taker.rows.set(id, row);
  }
}

export interface SlotArgs {
  slots: number;
  /** Tasks of each account that the worker holds. */
  held: ReadonlyMap<string, number>;
  /** How many of them one account can have. */
  mostEach: number;
}

/**
 * Locks due tasks for the slots of a worker. What an account cannot use of its share, because its tasks are limited, are quarantined, or
 * were few, goes to the others, so no slot stays empty while a task could be claimed. `hasMore`: whether more may be due.
 */
export function* lockDue(
  claimants: readonly Claimant[],
  { slots, held, mostEach }: SlotArgs,
): Script<{ rows: Row[]; hasMore: boolean }> {
  const takers = claimants.map((claimant): Taker => {
    const { accountId: id, weight, places } = claimant;
    const has = held.get(id) ?? 0;
    const most = Math.min(mostEach, has + (places?.ofAccount ?? Number.POSITIVE_INFINITY));
    return { id, weight, held: has, most, claimant, rows: new Map(), isDry: false };
  });
  for (;;) {
    const shares = shareSlots(takers, slots);
    const short = takers.filter(({ id, rows }) => (shares.get(id) ?? 0) > rows.size);
    if (short.length === 0) break;
    // The tasks that it took before are found again.
    const limits = short.map(({ id, rows }) => (shares.get(id) ?? 0) + rows.size);
    const found = yield short.map(({ claimant }, index) => selectDue(claimant, limits[index] ?? 0, 'FOR UPDATE SKIP LOCKED'));
    for (const [index, taker] of short.entries()) {
      const rows = found[index] ?? [];
      takeRows(taker, rows, shares.get(taker.id) ?? 0);
      taker.isDry = rows.length < (limits[index] ?? 0);
      if (taker.isDry && taker.rows.size < (shares.get(taker.id) ?? 0)) taker.most = taker.held + taker.rows.size;
    }
  }
  return {
    rows: takers.flatMap(({ rows }) => [...rows.values()]),
    hasMore: takers.some(({ rows, isDry }) => rows.size > 0 && !isDry),
  };
}
