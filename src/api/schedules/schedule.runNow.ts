import { z } from 'zod';
import { getSchedule } from '../../store/schedules/schedules.ts';
import { defineOperation } from '../contract/operation.ts';
import { performRun } from './run-plan.ts';
import { keyOfSchedule, scheduleId } from './schedule-id.ts';
import { presentRun, runObject } from './schedule-object.ts';

export const scheduleRunNow = defineOperation('POST', 'schedule.runNow', {
  summary: 'Runs a schedule now, beside its own times.',
  details: 'It starts whatever the schedule says about overlaps, and also if the schedule is paused or has ended.',
  access: 'all_tasks',
  cost: 'create',
  request: z.object({ schedule_id: scheduleId }),
  response: z.object({ task_id: z.string(), run: runObject }),
  async handle({ schedule_id: id }, context) {
    const schedule = await context.read(getSchedule, keyOfSchedule(id, context));
    const dueAtMs = context.now;
    const { id: runId, taskId } = await performRun(schedule, { dueAtMs, isByHand: true }, context);
    const facts = { dueAtMs, startedAtMs: dueAtMs, taskId, outcome: 'started' as const, reason: null, credits: 0 };
    return { task_id: taskId ?? '', run: presentRun({ id: runId, ...facts }) };
  },
});
