import { deriveId } from '@errand/base/ids.ts';
import { mostRecorded, planRuns } from '../../rules/schedules/schedule-policy.ts';
import { listDueTimes, nextTime } from '../../rules/schedules/timing.ts';
import { computedCodec, integer, nullable } from '../db/row-codec.ts';
import { clockRow, countRow } from '../db/shared-rows.ts';
import { repeat, type Script, selectAll, selectOne, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';
import { readSchedule, runRow, type Schedule, scheduleColumns } from './schedule-row.ts';

/** Schedules of one claim. */
const schedulesPerClaim = 128;
/** Runs of a schedule that are kept; older ones are deleted now and then. */
const keptRuns = 1000;
const trimEvery = 100;
/** Runs of a schedule that may wait for their turn. */
export const mostWaiting = 100;

/** The ID of a run: the same whoever records it. */
export function runIdOf(scheduleId: string, dueAtMs: number): string {
  return deriveId(dueAtMs, `run of ${scheduleId}`);
}

const runMarks = `(?, ?, ?, ?, CASE WHEN CAST(? AS INTEGER) = 1 THEN errand_now() END, 0, ?, ?)`;

interface PlannedRun {
  dueAtMs: number;
  isMissed: boolean;
}

function insertRuns({ accountId, id }: Schedule, runs: readonly PlannedRun[], waiting: number): Statement[] {
  if (runs.length === 0) return [];
  let free = mostWaiting - waiting;
  const rows = runs.map(({ dueAtMs, isMissed }) => {
    if (!isMissed) free -= 1;
    const isFull = !isMissed && free < 0;
    const outcome = isMissed ? 'missed' : isFull ? 'skipped' : null;
    const reason = isMissed ? 'The service was not running, or too busy.' : isFull ? 'Too many runs are waiting.' : null;
    return [accountId, id, dueAtMs, runIdOf(id, dueAtMs), outcome === null ? 1 : 0, outcome, reason];
  });
  return [
    sql(
      `INSERT INTO schedule_runs (account_id, schedule_id, due_at, id, ready_at, tries, outcome, reason)
       VALUES ${repeat(runMarks, rows.length)} ON CONFLICT (account_id, schedule_id, due_at) DO NOTHING`,
      ...rows.flat(),
    ),
  ];
}

/** Deletes old runs of a schedule whenever it has recorded another hundred. */
export function trimRuns({ accountId, id }: Schedule, recordedBefore: number, count: number): Statement[] {
  if (Math.floor(recordedBefore / trimEvery) === Math.floor((recordedBefore + count) / trimEvery)) return [];
  return [
    sql(
      `DELETE FROM schedule_runs WHERE account_id = ? AND schedule_id = ? AND ready_at IS NULL AND due_at <=
         (SELECT r.due_at FROM schedule_runs r WHERE r.account_id = ? AND r.schedule_id = ? ORDER BY r.due_at DESC LIMIT 1 OFFSET ?)`,
      ...[accountId, id, accountId, id, keptRuns],
    ),
  ];
}

function* countWaiting({ accountId, id }: Schedule): Script<number> {
  const row = yield* selectOne(
    'SELECT COUNT(*) AS count FROM schedule_runs WHERE account_id = ? AND schedule_id = ? AND ready_at IS NOT NULL',
    accountId,
    id,
  );
  return countRow.count(row);
}

/** Part of a write: records what is due of these locked schedules, each time once, and moves each to its next time. */
export function* recordDue(schedules: readonly Schedule[]): Script<number> {
  const now = clockRow.now(yield* selectOne('SELECT errand_now() AS now'));
  let count = 0;
  for (const schedule of schedules) {
    const { accountId, id, nextRunAtMs, catchUp, recorded } = schedule;
    if (nextRunAtMs === null || nextRunAtMs > now) continue;
    const times = listDueTimes(schedule, nextRunAtMs, now, mostRecorded);
    const runs = planRuns(times, now, catchUp);
    const next = nextTime(schedule, now);
    const waiting = yield* countWaiting(schedule);
    yield [
      ...insertRuns(schedule, runs, waiting),
      ...trimRuns(schedule, recorded, runs.length),
      sql(
        `UPDATE schedules SET next_run_at = ?, recorded = recorded + ?, status = CASE WHEN ? = 1 THEN 'ended' ELSE status END,
         last_outcome = CASE WHEN ? = 1 THEN 'missed' ELSE last_outcome END WHERE account_id = ? AND id = ?`,
        ...[next, runs.length, next === null ? 1 : 0, runs.at(-1)?.isMissed ? 1 : 0, accountId, id],
      ),
    ];
    count += runs.length;
  }
  return count;
}

export interface ReadyRun {
  accountId: string;
  scheduleId: string;
  dueAtMs: number;
  /** How often it was taken before without an end. */
  tries: number;
}

export interface ClaimRunsArgs {
  /** How many runs are taken at most. */
  slots: number;
  leaseMs: number;
  /** Name of this worker. If it dies, its runs are free for others at once. */
  workerId: string;
}

export interface ClaimRunsResult {
  runs: ReadyRun[];
  /** Whether another claim may find more at once. */
  hasMore: boolean;
  /** Milliseconds until something is due; null for nothing. */
  nextInMs: number | null;
}

const ready = runRow.pick('account_id, schedule_id, due_at, tries');
const waitRow = computedCodec('the next schedule', { next_ms: nullable(integer) });

/** Claims the oldest open run of each schedule, if it may start now, for this worker and a limited time. */
function* takeReady({ slots, leaseMs, workerId }: ClaimRunsArgs): Script<ReadyRun[]> {
  const rows = yield* selectAll(
    `SELECT ${ready.columnsOf('r')} FROM schedule_runs r WHERE r.ready_at <= errand_now() AND NOT EXISTS
       (SELECT 1 FROM schedule_runs o WHERE o.account_id = r.account_id AND o.schedule_id = r.schedule_id
        AND o.due_at < r.due_at AND o.ready_at IS NOT NULL)
     ORDER BY r.ready_at LIMIT ? FOR UPDATE SKIP LOCKED`,
    slots,
  );
  const runs = rows.map(ready.read);
  yield runs.map(({ accountId, scheduleId, dueAtMs }) =>
    sql(
      `UPDATE schedule_runs SET ready_at = errand_now() + ?, tries = tries + 1, lease_owner = ?
       WHERE account_id = ? AND schedule_id = ? AND due_at = ?`,
      ...[leaseMs, workerId, accountId, scheduleId, dueAtMs],
    ),
  );
  return runs;
}

/** Records every run that is due, then takes up to `slots` of those that can start. */
export const claimRuns: StoreOperation<ClaimRunsArgs, ClaimRunsResult> = {
  name: 'schedules.claimRuns',
  access: 'exclusive',
  *run(args) {
    const due = yield* selectAll(
      `SELECT ${scheduleColumns} FROM schedules WHERE next_run_at <= errand_now()
       ORDER BY next_run_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      schedulesPerClaim,
    );
    yield* recordDue(due.map(readSchedule));
    const runs = args.slots > 0 ? yield* takeReady(args) : [];
    const wait = yield* selectOne(
      `SELECT MIN(n.at) - errand_now() AS next_ms FROM (
         SELECT MIN(next_run_at) AS at FROM schedules WHERE next_run_at IS NOT NULL
         UNION ALL SELECT MIN(ready_at) AS at FROM schedule_runs WHERE ready_at > errand_now()) AS n`,
    );
    return { runs, hasMore: due.length === schedulesPerClaim || runs.length === args.slots, nextInMs: waitRow.next_ms(wait) };
  },
};

/** Makes every open run ready, as if its worker had died. Only for a store that no other process can have open. */
export const expireRunLeases: StoreOperation<null, null> = {
  name: 'schedules.expireRunLeases',
  access: 'exclusive',
  *run() {
    yield [sql('UPDATE schedule_runs SET ready_at = errand_now() WHERE ready_at > errand_now()')];
    return null;
  },
  announce: () => [{ topic: 'schedules' }],
};
