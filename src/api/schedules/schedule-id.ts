import { isId } from '@errand/base/ids.ts';
import { type ScheduleKey, scheduleNotFound } from '../../store/schedules/schedule-row.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

export const scheduleId = requiredText('Identifier of the schedule.');

/** The key of the caller's schedule; 404 for an invalid id. */
export function keyOfSchedule(id: string, { principal }: Context): ScheduleKey {
  if (!isId(id)) throw scheduleNotFound();
  return { accountId: principal.accountId, scheduleId: id };
}
