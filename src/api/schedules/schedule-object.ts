import { z } from 'zod';
import {
  catchUpPolicies,
  conversations,
  overlapPolicies,
  runOutcomes,
  scheduleStatuses,
} from '../../rules/schedules/schedule-policy.ts';
import type { ScheduleRun } from '../../store/schedules/run-history.ts';
import type { Schedule } from '../../store/schedules/schedule-row.ts';
import { optional } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { shownRecipeSource } from '../recipes/recipe-source.ts';
import { presentTaskRequest, shownTaskRequest } from '../tasks/requests/task-request-fields.ts';

/** How a schedule treats its runs, in a request. */
export const policyFields = {
  conversation: optional(z.enum(conversations)).meta({
    description: '`new` (default) starts a task for each run; `same` sends the message to the task of the last run.',
  }),
  overlap: optional(z.enum(overlapPolicies)).meta({
    description:
      'While the task of an earlier run is running or waiting, a run is left out (`skip`, the default), waits (`queue`), or starts (`parallel`).',
  }),
  catch_up: optional(z.enum(catchUpPolicies)).meta({
    description:
      'Which runs are made up for after a time without the service: `none`, the `last` (default), or `all`, at most 100.',
  }),
};

/** The times of the next runs. */
export const nextRuns = z.array(unixTime).meta({ description: 'The next ten times; fewer if there are no more.' });

export const scheduleObject = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(scheduleStatuses).meta({ description: '`ended` once no run is left.' }),
    cron: z.string().nullable(),
    interval_seconds: z.int().nullable(),
    run_at: unixTime.nullable(),
    time_zone: z.string(),
    start_at: unixTime.nullable(),
    end_at: unixTime.nullable(),
    conversation: z.enum(conversations),
    overlap: z.enum(overlapPolicies),
    catch_up: z.enum(catchUpPolicies),
    ...shownTaskRequest,
    ...shownRecipeSource,
    next_run_at: unixTime.nullable().meta({ description: 'Null unless the schedule is active.' }),
    last_run_at: unixTime.nullable().meta({ description: 'When a run last started.' }),
    last_outcome: z.enum(runOutcomes).nullable(),
    runs: z.int().meta({ description: 'How many runs have started.' }),
    task_id: z.string().optional().meta({ description: 'The task of the last run that started.' }),
    created_at: unixTime,
    updated_at: unixTime,
  })
  .meta({ id: 'Schedule' });

function toTime(ms: number | null): number | null {
  return ms === null ? null : toUnixTime(ms);
}

export function presentSchedule(schedule: Schedule, context: Pick<Context, 'credits'>): z.input<typeof scheduleObject> {
  const { id, name, status, cron, intervalSeconds, timeZone, conversation, overlap, catchUp, request, runs, taskId } = schedule;
  return {
    ...{ id, name, status, cron, interval_seconds: intervalSeconds, run_at: toTime(schedule.runAtMs), time_zone: timeZone },
    ...{ start_at: toTime(schedule.startAtMs), end_at: toTime(schedule.endAtMs), conversation, overlap, catch_up: catchUp },
    ...presentTaskRequest(request, context),
    ...{ next_run_at: toTime(schedule.nextRunAtMs), last_run_at: toTime(schedule.lastRunAtMs) },
    ...{ last_outcome: schedule.lastOutcome, runs, ...(taskId !== null && { task_id: taskId }) },
    ...{ created_at: toUnixTime(schedule.createdAtMs), updated_at: toUnixTime(schedule.updatedAtMs) },
  };
}

export const runObject = z
  .object({
    id: z.string(),
    due_at: unixTime,
    started_at: unixTime.nullable(),
    task_id: z.string().optional().meta({ description: 'The task that it started or continued.' }),
    outcome: z.enum(runOutcomes).nullable().meta({ description: 'Null while it waits for its turn.' }),
    reason: z.string().optional().meta({ description: 'Why it was skipped or missed.' }),
    credit_usage: z.int().meta({ description: 'Credits that its task has used since; 0 once the task is deleted.' }),
  })
  .meta({ id: 'ScheduleRun' });

export function presentRun(run: ScheduleRun): z.input<typeof runObject> {
  const { id, dueAtMs, startedAtMs, taskId, outcome, reason, credits } = run;
  return {
    id,
    due_at: toUnixTime(dueAtMs),
    started_at: toTime(startedAtMs),
    ...(taskId !== null && { task_id: taskId }),
    outcome,
    ...(reason !== null && { reason }),
    credit_usage: Math.max(0, credits ?? 0),
  };
}
