import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { originOf } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { createSchedule } from '../../store/schedules/schedules.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { largeBodyBytes } from '../contract/limits.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { messageField } from '../messages/message-input.ts';
import { readRequest, recipeSource } from '../recipes/recipe-source.ts';
import { taskRequestFields, wrapMessage } from '../tasks/requests/task-request-fields.ts';
import { policyFields, presentSchedule, scheduleObject } from './schedule-object.ts';
import { findNextRun, readTiming, timingFields } from './schedule-timing.ts';

export const scheduleCreate = defineOperation('POST', 'schedule.create', {
  summary: 'Creates a schedule, which starts tasks at set times: by a cron, at intervals, or once.',
  details: 'Exactly one of cron, interval_seconds and run_at is given. A message sent as a string is its content.',
  access: 'all_tasks',
  bodyLimitBytes: largeBodyBytes,
  prepare: wrapMessage,
  request: z.object({
    name: requiredText('At most 100 characters, kept as one line; also the title of its tasks.'),
    ...timingFields,
    ...policyFields,
    ...taskRequestFields,
    message: optional(messageField).meta({ description: 'What its tasks begin with; required unless `recipe_id` is given.' }),
    ...recipeSource,
  }),
  response: z.object({ schedule: scheduleObject }),
  async handle(input, context) {
    const { principal, now } = context;
    const timing = readTiming(input, null, now);
    const settings = {
      name: readName(input.name),
      status: 'active' as const,
      ...timing,
      conversation: input.conversation ?? ('new' as const),
      overlap: input.overlap ?? ('skip' as const),
      catchUp: input.catch_up ?? ('last' as const),
      nextRunAtMs: findNextRun(timing, now),
    };
    const schedule = await context.write(createSchedule, {
      accountId: principal.accountId,
      scheduleId: newId(now),
      settings: { ...settings, request: await readRequest(input, context) },
      ...originOf(principal),
      actor: actorOf(principal),
      now,
    });
    return { schedule: presentSchedule(schedule, context) };
  },
});
