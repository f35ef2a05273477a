import { z } from 'zod';
import { runOutcomes } from '../../rules/schedules/schedule-policy.ts';
import { getSchedule } from '../../store/schedules/schedules.ts';
import { defineOperation } from '../contract/operation.ts';
import { performRun } from './run-plan.ts';
import { keyOfSchedule, scheduleId } from './schedule-id.ts';

export const scheduleStart = defineOperation('POST', 'schedule.start', {
  summary: 'Starts a run that is due, once; workers call it.',
  access: 'operator',
  request: z.object({ schedule_id: scheduleId, due_at_ms: z.int() }),
  response: z.object({
    outcome: z.enum(runOutcomes).nullable(),
    waits_for: z.string().nullable().meta({ description: 'The task that it waits for.' }),
  }),
  async handle({ schedule_id: id, due_at_ms: dueAtMs }, context) {
    const schedule = await context.read(getSchedule, keyOfSchedule(id, context));
    const { outcome, waitsFor } = await performRun(schedule, { dueAtMs, isByHand: false }, context);
    return { outcome, waits_for: waitsFor };
  },
});
