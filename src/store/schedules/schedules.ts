import { Fault } from '@errand/base/fault.ts';
import { afterEveryId } from '@errand/base/ids.ts';
import { filesOfRequest, type TaskRequest } from '../../rules/schedules/task-request.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { addBlobReferences, releaseBlobs } from '../blobs/blob-references.ts';
import { countRow } from '../db/shared-rows.ts';
import {
  findRow,
  insertRow,
  lockAccount,
  lockRow,
  type Row,
  type Script,
  selectAll,
  selectOne,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { recordDue } from './due-schedules.ts';
import { readSchedule, type Schedule, scheduleColumns, type ScheduleKey, scheduleNotFound } from './schedule-row.ts';

/** Maximum number of schedules per account (docs/reference/choices.md#limits). */
const maxSchedules = 10_000;

/** What a caller decides about a schedule. */
export type ScheduleSettings = Pick<
  Schedule,
  | ('name' | 'status' | 'cron' | 'intervalSeconds' | 'runAtMs' | 'timeZone' | 'startAtMs' | 'endAtMs' | 'anchorAtMs')
  | ('conversation' | 'overlap' | 'catchUp' | 'request' | 'nextRunAtMs')
>;

function columnsOf(settings: ScheduleSettings) {
  return {
    name: settings.name,
    status: settings.status,
    cron: settings.cron,
    interval_seconds: settings.intervalSeconds,
    run_at: settings.runAtMs,
    time_zone: settings.timeZone,
    start_at: settings.startAtMs,
    end_at: settings.endAtMs,
    anchor_at: settings.anchorAtMs,
    conversation: settings.conversation,
    overlap: settings.overlap,
    catch_up: settings.catchUp,
    request: JSON.stringify(settings.request),
    next_run_at: settings.nextRunAtMs,
  };
}

/** The files of its message stay as long as the schedule, or until it has another message. */
function* addFiles({ accountId, scheduleId }: ScheduleKey, request: TaskRequest): Script<void> {
  if (yield* addBlobReferences(accountId, filesOfRequest(request), `schedule:${scheduleId}`)) return;
  throw new Fault('not_found', 'message.content: a file was deleted meanwhile');
}

export interface CreateScheduleArgs extends ScheduleKey {
  settings: ScheduleSettings;
  apiKeyId: string | null;
  oauthClientId: string | null;
  /** The caller for the security record, in the form of `actorOf`. */
  actor?: string;
  now: number;
}

export const createSchedule: StoreOperation<CreateScheduleArgs, Schedule> = {
  name: 'schedules.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, scheduleId, settings, apiKeyId, oauthClientId, actor = 'operator', now }) {
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    yield* lockAccount(accountId);
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM schedules WHERE account_id = ?', accountId);
    if (countRow.count(held) >= maxSchedules) {
      throw new Fault('resource_exhausted', `An account can have ${maxSchedules} schedules; delete one that is no longer used.`);
    }
    yield* addFiles({ accountId, scheduleId }, settings.request);
    const nothing = { task_id: null, team_id: null, last_run_at: null, last_outcome: null, runs: 0, recorded: 0, version: 1 };
    const origin = { api_key_id: apiKeyId, oauth_client_id: oauthClientId };
    const row = {
      ...{ account_id: accountId, id: scheduleId },
      ...{ ...columnsOf(settings), ...origin, ...nothing, created_at: now, updated_at: now },
    };
    const detail = { schedule_id: scheduleId, name: settings.name };
    yield [insertRow('schedules', row), noteSecurityEvent({ accountId, atMs: now, kind: 'schedule_created', actor, detail })];
    return readSchedule(row as unknown as Row);
  },
  announce: () => [{ topic: 'schedules' }],
};

/** The schedule with `key`, or a fault that does not distinguish a foreign one from a missing one. */
export const getSchedule: StoreOperation<ScheduleKey, Schedule> = {
  name: 'schedules.get',
  access: 'read',
  *run({ accountId, scheduleId }) {
    const row = yield* findRow(scheduleColumns, 'schedules', { account_id: accountId, id: scheduleId });
    if (!row) throw scheduleNotFound();
    return readSchedule(row);
  },
};

export interface ListSchedulesArgs {
  accountId: string;
  /** Exclusive: returns schedules older than this one. */
  beforeId: string | null;
  limit: number;
}

/** A page of an account's schedules, newest first. */
export const listSchedules: StoreOperation<ListSchedulesArgs, Schedule[]> = {
  name: 'schedules.list',
  access: 'read',
  *run({ accountId, beforeId, limit }) {
    const statement = `SELECT ${scheduleColumns} FROM schedules WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?`;
    // Behind every id, which consists of letters and digits.
    return (yield* selectAll(statement, accountId, beforeId ?? afterEveryId, limit)).map(readSchedule);
  },
};

/** The schedule, locked. */
export function* lockSchedule({ accountId, scheduleId }: ScheduleKey): Script<Schedule> {
  const row = yield* lockRow(scheduleColumns, 'schedules', { account_id: accountId, id: scheduleId });
  if (!row) throw scheduleNotFound();
  return readSchedule(row);
}

/** The runs that are open do not start; whether there were any. */
function* skipOpenRuns({ accountId, scheduleId }: ScheduleKey, reason: string): Script<boolean> {
  const skipped = yield* selectAll(
    `UPDATE schedule_runs SET ready_at = NULL, outcome = 'skipped', reason = ?
     WHERE account_id = ? AND schedule_id = ? AND ready_at IS NOT NULL RETURNING id`,
    ...[reason, accountId, scheduleId],
  );
  return skipped.length > 0;
}

export interface UpdateScheduleArgs extends ScheduleKey {
  /** The version that the new settings were made from. */
  version: number;
  settings: ScheduleSettings;
  /** Whether it runs at other times from now on; else the time of its next run stays. */
  isRetimed: boolean;
  /** Whether the message, with its files, is another one. */
  hasMessage: boolean;
  now: number;
}

/** Replaces the settings; what was due before is recorded first, by the earlier ones, and skipped if nothing is to run now. 409 if they were changed meanwhile. */
export const updateSchedule: StoreOperation<UpdateScheduleArgs, Schedule> = {
  name: 'schedules.update',
  access: 'exclusive',
  *run({ version, settings, isRetimed, hasMessage, now, ...key }) {
    const { accountId, scheduleId } = key;
    const current = yield* lockSchedule(key);
    if (current.version !== version) throw new Fault('conflict', 'The schedule was changed meanwhile; try again.');
    if (isRetimed) yield* recordDue([current]);
    const { next_run_at: nextRunAt, status, ...columns } = columnsOf(settings);
    const isHalted = isRetimed && status !== 'active' && (yield* skipOpenRuns(key, `The schedule was ${status}.`));
    const changed = {
      ...columns,
      ...(isRetimed && { next_run_at: nextRunAt, status }),
      ...(isHalted && { last_outcome: 'skipped' }),
    };
    if (hasMessage) {
      yield releaseBlobs(accountId, `schedule:${scheduleId}`);
      yield* addFiles(key, settings.request);
    }
    const names = Object.keys(changed);
    yield [
      sql(
        `UPDATE schedules SET ${names.map((name) => `${name} = ?`).join(', ')}, version = version + 1, updated_at = ?
         WHERE account_id = ? AND id = ?`,
        ...Object.values(changed),
        now,
        accountId,
        scheduleId,
      ),
    ];
    return yield* getSchedule.run(key);
  },
  announce: () => [{ topic: 'schedules' }],
};

/** Deletes a schedule with its history. Tasks that it started stay. */
export const deleteSchedule: StoreOperation<ScheduleKey & { actor?: string; now: number }, null> = {
  name: 'schedules.delete',
  access: 'exclusive',
  *run({ actor = 'operator', now, ...key }) {
    const { accountId, scheduleId } = key;
    const { name } = yield* lockSchedule(key);
    const detail = { schedule_id: scheduleId, name };
    yield [
      ...releaseBlobs(accountId, `schedule:${scheduleId}`),
      sql('DELETE FROM schedule_runs WHERE account_id = ? AND schedule_id = ?', accountId, scheduleId),
      sql('DELETE FROM schedules WHERE account_id = ? AND id = ?', accountId, scheduleId),
      noteSecurityEvent({ accountId, atMs: now, kind: 'schedule_deleted', actor, detail }),
    ];
    return null;
  },
};
