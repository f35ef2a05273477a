import { z } from 'zod';
import { listRuns } from '../../store/schedules/run-history.ts';
import { getSchedule } from '../../store/schedules/schedules.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfSchedule, scheduleId } from './schedule-id.ts';
import { presentRun, runObject } from './schedule-object.ts';

export const scheduleRuns = defineOperation('GET', 'schedule.runs', {
  summary: 'Lists the last 1,000 runs of a schedule, newest first, with their outcomes and costs.',
  access: 'all_tasks',
  request: z.object({ schedule_id: scheduleId, limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(runObject), ...pageEnd }),
  async handle({ schedule_id: id, limit, cursor: from }, context) {
    const key = keyOfSchedule(id, context);
    await context.read(getSchedule, key);
    const { items, end } = await readListPage(
      { query: ['schedule.runs', key.accountId, id], cursor: from, limit },
      (before, count) => context.read(listRuns, { ...key, beforeMs: before === null ? null : Number(before), limit: count }),
      ({ dueAtMs }) => String(dueAtMs),
    );
    return { data: items.map(presentRun), ...end };
  },
});
