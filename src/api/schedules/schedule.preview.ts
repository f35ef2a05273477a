import { z } from 'zod';
import { listNextTimes } from '../../rules/schedules/timing.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime } from '../contract/unix-time.ts';
import { shownTimes } from './schedule.detail.ts';
import { nextRuns } from './schedule-object.ts';
import { findNextRun, readTiming, timingFields } from './schedule-timing.ts';

export const schedulePreview = defineOperation('POST', 'schedule.preview', {
  summary: 'Returns the times at which a schedule would run, without making one.',
  access: 'all_tasks',
  request: z.object(timingFields),
  response: z.object({ next_runs: nextRuns }),
  handle(input, { now }) {
    const timing = readTiming(input, null, now);
    const first = findNextRun(timing, now);
    return Promise.resolve({ next_runs: [first, ...listNextTimes(timing, first, shownTimes - 1)].map(toUnixTime) });
  },
});
