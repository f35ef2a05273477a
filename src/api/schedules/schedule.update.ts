import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { scheduleStatuses } from '../../rules/schedules/schedule-policy.ts';
import { nextTime } from '../../rules/schedules/timing.ts';
import type { Schedule } from '../../store/schedules/schedule-row.ts';
import { getSchedule, type ScheduleSettings, updateSchedule } from '../../store/schedules/schedules.ts';
import { optional } from '../contract/fields.ts';
import { largeBodyBytes } from '../contract/limits.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { changeRequest, recipeSource } from '../recipes/recipe-source.ts';
import { taskRequestChanges, wrapMessage } from '../tasks/requests/task-request-fields.ts';
import { keyOfSchedule, scheduleId } from './schedule-id.ts';
import { policyFields, presentSchedule, scheduleObject } from './schedule-object.ts';
import { findNextRun, readTiming, timingChanges, type TimingInput } from './schedule-timing.ts';

const request = z.object({
  schedule_id: scheduleId,
  name: optional(z.string()).meta({ description: 'At most 100 characters.' }),
  status: optional(z.enum(scheduleStatuses)).meta({
    description: '`paused` leaves out every run until the schedule is `active` again; `ended` ends it.',
  }),
  ...timingChanges,
  ...policyFields,
  ...taskRequestChanges,
  ...recipeSource,
});

type Retiming = Pick<ScheduleSettings, 'status' | 'nextRunAtMs'> & { isRetimed: boolean };

/** The status and the next run after a change. An ended schedule with new times is active again. */
function retime(input: z.output<typeof request>, current: Schedule, settings: Schedule, now: number): Retiming {
  const { status: named } = input;
  const hasTimes = Object.keys(timingChanges).some((field) => input[field as keyof TimingInput] !== undefined);
  if (!hasTimes && (named === undefined || named === current.status))
    return { status: current.status, nextRunAtMs: current.nextRunAtMs, isRetimed: false };
  const status = named ?? (current.status === 'ended' ? 'active' : current.status);
  if (status === 'ended') return { status, nextRunAtMs: null, isRetimed: true };
  if (!hasTimes && status === 'active' && nextTime(settings, now) === null)
    throw invalidField('status', 'cannot be active: no run is left; change its times');
  const next = hasTimes || status === 'active' ? findNextRun(settings, now) : null;
  return { status, nextRunAtMs: status === 'active' ? next : null, isRetimed: true };
}

export const scheduleUpdate = defineOperation('POST', 'schedule.update', {
  summary: 'Changes, pauses, or resumes a schedule.',
  details: [
    'Omitted fields keep their values; null removes start_at, end_at, project_id, agent_profile, locale, structured_output_schema, or budget.',
    'A recipe or other values replace the message. A new cron, interval_seconds or run_at replaces whichever the schedule had. Runs that fell into a pause are not made up for.',
  ].join(' '),
  access: 'all_tasks',
  bodyLimitBytes: largeBodyBytes,
  prepare: wrapMessage,
  request,
  response: z.object({ schedule: scheduleObject }),
  async handle(input, context) {
    const { now } = context;
    const key = keyOfSchedule(input.schedule_id, context);
    const current = await context.read(getSchedule, key);
    const changed = {
      ...current,
      ...readTiming(input, current, now),
      ...(input.name !== undefined && { name: readName(input.name) }),
      ...(input.conversation && { conversation: input.conversation }),
      ...(input.overlap && { overlap: input.overlap }),
      ...(input.catch_up && { catchUp: input.catch_up }),
    };
    const { isRetimed, ...times } = retime(input, current, changed, now);
    const settings = { ...changed, ...times, request: await changeRequest(current.request, input, context) };
    const hasMessage = [input.message, input.recipe_id, input.values].some((given) => given !== undefined);
    const { version } = current;
    const schedule = await context.write(updateSchedule, { ...key, version, settings, isRetimed, hasMessage, now });
    return { schedule: presentSchedule(schedule, context) };
  },
});
