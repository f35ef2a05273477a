import { Fault } from '@errand/base/fault.ts';
import type { RunOutcome } from '../../rules/schedules/schedule-policy.ts';
import { computedCodec, integer, nullable, oneOf, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import { findRow, lockRow, type Script, selectFirst, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';
import { announceDeliveries } from '../webhooks/delivery-queue.ts';
import { announceDue, announceNew } from '../events/task-log.ts';
import { findStandingProblem } from '../oauth/standing-access.ts';
import { createTask, type CreateTaskArgs, messageTask, type MessageTaskArgs } from '../tasks/tasks.ts';
import { runIdOf, trimRuns } from './due-schedules.ts';
import type { Schedule, ScheduleKey } from './schedule-row.ts';
import { lockSchedule } from './schedules.ts';

export interface RunKey extends ScheduleKey {
  dueAtMs: number;
}

/** What a run starts: a task of its own, or a message to the conversation of its schedule. */
export type RunStart = { kind: 'task'; args: CreateTaskArgs } | { kind: 'message'; args: MessageTaskArgs };

export interface StartRunArgs extends RunKey {
  now: number;
  start: RunStart;
  /** Started by hand: at once, whatever its schedule says about overlaps. */
  isByHand: boolean;
  /** How long a run that has to wait is left alone, in case nobody notices that it no longer has to. */
  lookAgainMs: number;
}

export interface StartedRun {
  id: string;
  /** Null while it waits. */
  outcome: RunOutcome | null;
  taskId: string | null;
  /** The task that it waits for. */
  waitsFor: string | null;
  /** Whether webhooks are notified of the new task, for announcements. */
  isReported: boolean;
}

/** How many of the last tasks may still be under way, of a schedule that has let them run in parallel. */
const mostLooked = 20;

const activeRow = computedCodec('the tasks of earlier runs', { id: text });
const openRow = computedCodec('an open run', { ready_at: nullable(integer), outcome: nullable(oneOf<RunOutcome>()) });

/** A task of an earlier run that is running or waits for somebody. */
function* findActive({ accountId, id }: Schedule): Script<string | null> {
  const row = yield* selectFirst(
    `SELECT t.id FROM (SELECT task_id FROM schedule_runs WHERE account_id = ? AND schedule_id = ? AND task_id IS NOT NULL
       ORDER BY due_at DESC LIMIT ?) AS r CROSS JOIN tasks t
     WHERE t.account_id = ? AND t.id = r.task_id AND t.status IN ('running', 'waiting') LIMIT 1`,
    ...[accountId, id, mostLooked, accountId],
  );
  return row ? activeRow.id(row) : null;
}

/** The end of a run without a task. */
function endRun({ accountId, scheduleId, dueAtMs }: RunKey, outcome: RunOutcome, reason: string): Statement[] {
  return [
    sql(
      `UPDATE schedule_runs SET ready_at = NULL, outcome = ?, reason = ?
       WHERE account_id = ? AND schedule_id = ? AND due_at = ? AND ready_at IS NOT NULL`,
      ...[outcome, reason, accountId, scheduleId, dueAtMs],
    ),
    sql('UPDATE schedules SET last_outcome = ? WHERE account_id = ? AND id = ?', outcome, accountId, scheduleId),
  ];
}

/** Starts the task, or sends the message; what the task had cost before. */
function* start(schedule: Schedule, { kind, args }: RunStart): Script<{ creditsBefore: number; isReported: boolean }> {
  if (kind === 'task') {
    const { isReported } = yield* createTask.run({ ...args, scheduleId: schedule.id, teamId: schedule.teamId });
    return { creditsBefore: 0, isReported };
  }
  const row = yield* lockRow('credits, status', 'tasks', { account_id: args.accountId, id: args.taskId });
  // To a task that waits, the message would be its user's answer.
  if (row && taskRow.status(row) === 'waiting') throw new Fault('conflict', 'The task began to wait meanwhile; try again.');
  yield* messageTask.run({ ...args, decider: { actor: `schedule:${schedule.id}`, accountId: args.accountId } });
  return { creditsBefore: row ? taskRow.credits(row) : 0, isReported: false };
}

function* lockRun({ accountId, scheduleId, dueAtMs }: RunKey, isByHand: boolean): Script<RunOutcome | 'open'> {
  if (isByHand) return 'open';
  const row = yield* findRow('ready_at, outcome', 'schedule_runs', {
    account_id: accountId,
    schedule_id: scheduleId,
    due_at: dueAtMs,
  });
  if (!row) return 'skipped';
  return openRow.ready_at(row) === null ? (openRow.outcome(row) ?? 'skipped') : 'open';
}

/** A run by hand is recorded only now. One in the same millisecond as another takes the next. */
function* recordByHand({ accountId, scheduleId, dueAtMs }: RunKey): Script<number> {
  for (let at = dueAtMs; ; at += 1) {
    const made = yield* selectFirst(
      `INSERT INTO schedule_runs (account_id, schedule_id, due_at, id, ready_at, tries) VALUES (?, ?, ?, ?, errand_now(), 1)
       ON CONFLICT (account_id, schedule_id, due_at) DO NOTHING RETURNING id`,
      ...[accountId, scheduleId, at, runIdOf(scheduleId, at)],
    );
    if (made) return at;
  }
}

function* decide(args: StartRunArgs): Script<StartedRun> {
  const { accountId, scheduleId, now, lookAgainMs, isByHand } = args;
  const schedule = yield* lockSchedule(args);
  const nothing = { id: runIdOf(scheduleId, args.dueAtMs), taskId: null, waitsFor: null, isReported: false };
  const state = yield* lockRun(args, isByHand);
  if (state !== 'open') return { ...nothing, outcome: state };
  const problem = isByHand ? null : yield* findStandingProblem(schedule);
  if (problem !== null) {
    yield endRun(args, 'skipped', problem);
    return { ...nothing, outcome: 'skipped' };
  }
  const active = isByHand || schedule.overlap === 'parallel' ? null : yield* findActive(schedule);
  if (active !== null && schedule.overlap === 'skip') {
    yield endRun(args, 'skipped', 'The task of an earlier run is still running or waiting.');
    return { ...nothing, outcome: 'skipped' };
  }
  if (active !== null) {
    yield [
      sql(
        `UPDATE schedule_runs SET ready_at = errand_now() + ?, tries = 0 WHERE account_id = ? AND schedule_id = ? AND due_at = ?`,
        ...[lookAgainMs, accountId, scheduleId, args.dueAtMs],
      ),
    ];
    return { ...nothing, outcome: null, waitsFor: active };
  }
  const { creditsBefore, isReported } = yield* start(schedule, args.start);
  const dueAtMs = isByHand ? yield* recordByHand(args) : args.dueAtMs;
  const { taskId } = args.start.args;
  yield [
    sql(
      `UPDATE schedule_runs SET ready_at = NULL, outcome = 'started', started_at = ?, task_id = ?, credits_before = ?
       WHERE account_id = ? AND schedule_id = ? AND due_at = ?`,
      ...[now, taskId, creditsBefore, accountId, scheduleId, dueAtMs],
    ),
    sql(
      `UPDATE schedules SET runs = runs + 1, recorded = recorded + ?, last_run_at = ?, last_outcome = 'started', task_id = ?
       WHERE account_id = ? AND id = ?`,
      ...[isByHand ? 1 : 0, now, taskId, accountId, scheduleId],
    ),
    ...(isByHand ? trimRuns(schedule, schedule.recorded, 1) : []),
  ];
  return { ...nothing, id: runIdOf(scheduleId, dueAtMs), outcome: 'started', taskId, isReported };
}

const operation = {
  run: decide,
  announce: ({ start: { kind, args } }: StartRunArgs, { taskId, isReported }: StartedRun) => {
    if (taskId === null) return [];
    return kind === 'task' ? [...announceNew(args), ...announceDeliveries(isReported)] : announceDue(taskId);
  },
};

/** Starts the task of a run, in the transaction that records it: once, however many workers try. */
export const startRun: StoreOperation<StartRunArgs, StartedRun> = {
  name: 'schedules.startRun',
  access: 'write',
  keys: ({ scheduleId, start: { args } }) => [scheduleId, args.taskId],
  ...operation,
};

/** Starts a run as a message to an existing task. Its own transaction locks the task after the schedule, so that no two ever deadlock. */
export const continueRun: StoreOperation<StartRunArgs, StartedRun> = {
  name: 'schedules.continueRun',
  access: 'exclusive',
  ...operation,
};

/** Records that a run does not start, and why; nothing if it has started meanwhile. */
export const refuseRun: StoreOperation<RunKey & { outcome: RunOutcome; reason: string }, null> = {
  name: 'schedules.refuseRun',
  access: 'exclusive',
  *run({ outcome, reason, ...key }) {
    yield* lockSchedule(key);
    yield endRun(key, outcome, reason);
    return null;
  },
};

/** Puts off a run that was taken to be started, as if it had not been tried. */
export const postponeRun: StoreOperation<RunKey & { waitMs: number }, null> = {
  name: 'schedules.postponeRun',
  access: 'write',
  keys: ({ scheduleId }) => [scheduleId],
  *run({ accountId, scheduleId, dueAtMs, waitMs }) {
    yield [
      sql(
        `UPDATE schedule_runs SET ready_at = errand_now() + ?, tries = 0, lease_owner = NULL
         WHERE account_id = ? AND schedule_id = ? AND due_at = ? AND ready_at IS NOT NULL`,
        ...[waitMs, accountId, scheduleId, dueAtMs],
      ),
    ];
    return null;
  },
};
