import { z } from 'zod';
import { listNextTimes } from '../../rules/schedules/timing.ts';
import { getSchedule } from '../../store/schedules/schedules.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime } from '../contract/unix-time.ts';
import { keyOfSchedule, scheduleId } from './schedule-id.ts';
import { nextRuns, presentSchedule, scheduleObject } from './schedule-object.ts';

/** How many of the next times are shown. */
export const shownTimes = 10;

export const scheduleDetail = defineOperation('GET', 'schedule.detail', {
  summary: 'Returns a schedule with the times of its next ten runs.',
  access: 'all_tasks',
  request: z.object({ schedule_id: scheduleId }),
  response: z.object({ schedule: scheduleObject.extend({ next_runs: nextRuns }).meta({ id: 'ScheduleDetail' }) }),
  async handle({ schedule_id: id }, context) {
    const schedule = await context.read(getSchedule, keyOfSchedule(id, context));
    const { nextRunAtMs } = schedule;
    const times = nextRunAtMs === null ? [] : [nextRunAtMs, ...listNextTimes(schedule, nextRunAtMs, shownTimes - 1)];
    return { schedule: { ...presentSchedule(schedule, context), next_runs: times.map(toUnixTime) } };
  },
});
