import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { deleteSchedule } from '../../store/schedules/schedules.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfSchedule, scheduleId } from './schedule-id.ts';

export const scheduleDelete = defineOperation('POST', 'schedule.delete', {
  summary: 'Deletes a schedule with its history. Tasks that it has started stay and continue.',
  access: 'all_tasks',
  request: z.object({ schedule_id: scheduleId }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ schedule_id: id }, context) {
    const { principal, now } = context;
    await context.write(deleteSchedule, { ...keyOfSchedule(id, context), actor: actorOf(principal), now });
    return { id, deleted: true as const };
  },
});
