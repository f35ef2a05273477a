import { z } from 'zod';
import { listSchedules } from '../../store/schedules/schedules.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentSchedule, scheduleObject } from './schedule-object.ts';

export const scheduleList = defineOperation('GET', 'schedule.list', {
  summary: "Lists the account's schedules, newest first.",
  access: 'all_tasks',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(scheduleObject), ...pageEnd }),
  async handle({ limit, cursor: from }, { principal, read, credits }) {
    const { accountId } = principal;
    const { items, end } = await readListPage(
      { query: ['schedule.list', accountId], cursor: from, limit },
      (beforeId, count) => read(listSchedules, { accountId, beforeId, limit: count }),
      ({ id }) => id,
    );
    return { data: items.map((schedule) => presentSchedule(schedule, { credits })), ...end };
  },
});
