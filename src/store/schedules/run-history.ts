import { computedCodec, integer, nullable } from '../db/row-codec.ts';
import { selectAll, type StoreOperation } from '../db/store-operation.ts';
import { runRow, type ScheduleKey } from './schedule-row.ts';

const run = runRow.pick('id, due_at, started_at, task_id, outcome, reason');
const costRow = computedCodec('the cost of a run', { credits: nullable(integer) });

/** One run as its history shows it. `credits`: what its task has cost since, up to the next run in the same task. */
export type ScheduleRun = ReturnType<typeof run.read> & { credits: number | null };

export interface ListRunsArgs extends ScheduleKey {
  /** Exclusive: returns runs that were due earlier. */
  beforeMs: number | null;
  limit: number;
}

/** A page of the runs of a schedule, newest first. */
export const listRuns: StoreOperation<ListRunsArgs, ScheduleRun[]> = {
  name: 'schedules.listRuns',
  access: 'read',
  *run({ accountId, scheduleId, beforeMs, limit }) {
    const rows = yield* selectAll(
      `SELECT ${run.columnsOf('r')}, COALESCE(
         (SELECT n.credits_before FROM schedule_runs n WHERE n.account_id = r.account_id AND n.schedule_id = r.schedule_id
          AND n.due_at > r.due_at AND n.task_id = r.task_id ORDER BY n.due_at LIMIT 1),
         (SELECT t.credits FROM tasks t WHERE t.account_id = r.account_id AND t.id = r.task_id)) - r.credits_before AS credits
       FROM schedule_runs r WHERE r.account_id = ? AND r.schedule_id = ? AND r.due_at < ? ORDER BY r.due_at DESC LIMIT ?`,
      ...[accountId, scheduleId, beforeMs ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return rows.map((row) => ({ ...run.read(row), credits: costRow.credits(row) }));
  },
};
