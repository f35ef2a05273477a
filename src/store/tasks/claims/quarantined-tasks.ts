import type { RepeatReason } from '../../../rules/events/task-event.ts';
import {
  countCrashes,
  classifyCrashes,
  pauseBeforeRun,
  quarantineCrashes,
  probationCrashes,
  probationWaitMs,
} from '../../../rules/tasks/crash-blame.ts';
import { clockRow, taskRow } from '../../db/shared-rows.ts';
import { type Row, type Script, selectAll, sql, type Statement } from '../../db/store-operation.ts';
import { claimingColumns } from './claim-limits.ts';
import { leavingOwner } from '../task-leases.ts';

/** Number of deaths on the row after one more claim: a lease that ended without a release counts as one, as in `countCrashes`. */
export const crashesIfClaimed = `(crashes + CASE WHEN lease_owner IS NULL OR lease_owner = '${leavingOwner}' THEN 0 ELSE 1 END)`;

/** How the last worker of a due task ended. A worker that was told to stop leaves its mark, whether or not it could release the task. */
export function lastEndOf(row: Row): RepeatReason {
  const owner = taskRow.lease_owner(row);
  if (owner === leavingOwner) return 'drain';
  return owner !== null || taskRow.crashes(row) > 0 ? 'crash' : 'takeover';
}

/** Rows looked at in one claim; those that have to pause are not due any more at the next. */
const rowsPerClaim = 8;

/** How long this task must still pause for a death that is not counted yet, from the end of its lease; null if it need not. */
function pauseLeft(row: Row): number | null {
  const owner = taskRow.lease_owner(row);
  if (owner === null || owner === leavingOwner) return null;
  const crashes = countCrashes(taskRow.crashes(row), 'died');
  if (classifyCrashes(crashes) !== 'probation') return null;
  return Math.max(0, pauseBeforeRun(crashes) - (clockRow.now(row) - (taskRow.wake_at(row) ?? 0)));
}

/** Counts the death of a worker without claiming its task. The fence rises, as with a claim: the worker may only have been slow. */
function* postpone(row: Row, pauseMs: number): Script<void> {
  yield* selectAll(
    `UPDATE tasks SET crashes = ${crashesIfClaimed}, lease_owner = NULL, fence = fence + 1, wake_at = errand_now() + ?
     WHERE account_id = ? AND id = ? RETURNING id`,
    pauseMs,
    taskRow.account_id(row),
    taskRow.id(row),
  );
}

/**
 * Locks quarantined tasks that may run now. A task on probation needs a worker without other tasks, unless it has waited too long for one.
 */
export function lockQuarantined(isIdle: boolean): Statement {
  return sql(
    `SELECT ${claimingColumns('tasks')}, id, crashes, lease_owner, api_key_id, project_id, external_user_id, wake_at, errand_now() AS now,
       (SELECT l.tasks FROM running_limits l WHERE l.account_id = tasks.account_id AND l.scope = 'external_user'
         AND l.scope_id = tasks.external_user_id) AS person_limit
     FROM tasks
     WHERE crashes > 0 AND wake_at <= errand_now() AND ${crashesIfClaimed} >= ?
       AND (${crashesIfClaimed} < ? OR 1 = ? OR lease_owner IS NOT NULL OR wake_at <= errand_now() - ?)
     LIMIT ? FOR UPDATE SKIP LOCKED`,
    quarantineCrashes,
    probationCrashes,
    isIdle ? 1 : 0,
    probationWaitMs,
    rowsPerClaim,
  );
}

/** The first of these tasks that need not pause for a death and for which there is a slot. */
export function* chooseQuarantined(
  rows: readonly Row[],
  { isIdle, hasSlot }: { isIdle: boolean; hasSlot(row: Row): boolean },
): Script<{ row: Row | undefined; isAlone: boolean }> {
  for (const row of rows) {
    const pauseMs = pauseLeft(row);
    if (pauseMs !== null) yield* postpone(row, pauseMs);
    else if (hasSlot(row)) return { row, isAlone: isIdle && classifyCrashes(taskRow.crashes(row)) === 'probation' };
  }
  return { row: undefined, isAlone: false };
}
