import { Fault } from '@errand/base/fault.ts';
import type {
  CatchUpPolicy,
  Conversation,
  OverlapPolicy,
  RunOutcome,
  ScheduleStatus,
} from '../../rules/schedules/schedule-policy.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import { integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

export interface ScheduleKey {
  accountId: string;
  scheduleId: string;
}

/** `schedules` */
const scheduleRow = tableCodec('schedules', {
  account_id: text,
  id: text,
  name: text,
  status: oneOf<ScheduleStatus>(),
  cron: nullable(text),
  interval_seconds: nullable(integer),
  run_at: nullable(integer),
  time_zone: text,
  start_at: nullable(integer),
  end_at: nullable(integer),
  anchor_at: integer,
  conversation: oneOf<Conversation>(),
  overlap: oneOf<OverlapPolicy>(),
  catch_up: oneOf<CatchUpPolicy>(),
  request: json<TaskRequest>(),
  api_key_id: nullable(text),
  oauth_client_id: nullable(text),
  task_id: nullable(text),
  team_id: nullable(text),
  next_run_at: nullable(integer),
  last_run_at: nullable(integer),
  last_outcome: nullable(oneOf<RunOutcome>()),
  runs: integer,
  recorded: integer,
  version: integer,
  created_at: integer,
  updated_at: integer,
});

const schedule = scheduleRow.pick(
  'account_id, id, name, status, cron, interval_seconds, run_at, time_zone, start_at, end_at, anchor_at, conversation, overlap',
  'catch_up, request, api_key_id, oauth_client_id, task_id, team_id, next_run_at, last_run_at, last_outcome, runs, recorded, version',
  'created_at, updated_at',
);

/** A schedule as stored; times in milliseconds since the epoch. */
export type Schedule = ReturnType<typeof schedule.read>;

export const readSchedule = schedule.read;
/** Columns that `readSchedule` needs. */
export const scheduleColumns = schedule.columns;

export function scheduleNotFound(): Fault {
  return new Fault('not_found', 'schedule not found');
}

/** `schedule_runs` */
export const runRow = tableCodec('schedule_runs', {
  account_id: text,
  schedule_id: text,
  due_at: integer,
  id: text,
  ready_at: nullable(integer),
  tries: integer,
  outcome: nullable(oneOf<RunOutcome>()),
  reason: nullable(text),
  started_at: nullable(integer),
  task_id: nullable(text),
  credits_before: nullable(integer),
  lease_owner: nullable(text),
});
