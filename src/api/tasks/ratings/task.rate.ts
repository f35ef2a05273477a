import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { boundUserOf } from '../../../rules/accounts/access.ts';
import { ratingValues, setRating } from '../../../store/events/ratings.ts';
import { getReadableTask } from '../../../store/tasks/tasks.ts';
import { optional, requiredText, taskId } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { isLongerThan } from '../../contract/text-length.ts';
import { readEventSeq } from '../../events/event-position.ts';

const maxReasonLength = 2000;
const rated = z.enum([...ratingValues, 'none']);

export const taskRate = defineOperation('POST', 'task.rate', {
  summary: 'Sets what the caller thinks of an answer of the agent.',
  details:
    'A person has one rating of an answer; another one replaces it. Members of a team can rate answers of tasks that are shared with it. With `Errand-User`, the person of the product rates.',
  access: 'tasks',
  request: z.object({
    task_id: taskId,
    event_id: requiredText('The `assistant_message` that is rated.'),
    rating: rated.meta({ description: '`none` takes the rating back.' }),
    reason: optional(z.string()).meta({ description: `Why; at most ${maxReasonLength} characters.` }),
  }),
  response: z.object({ task_id: z.string(), event_id: z.string(), rating: rated }),
  async handle({ task_id: id, event_id: eventId, rating, reason = '' }, context) {
    if (isLongerThan(reason, maxReasonLength)) throw invalidField('reason', `must have at most ${maxReasonLength} characters`);
    const { principal, now, read, write } = context;
    const key = keyOfTask(id, context);
    const task = await read(getReadableTask, key);
    const seq = readEventSeq('event_id', task, eventId);
    const rater = { authorId: principal.accountId, externalUserId: boundUserOf(principal) };
    await write(setRating, {
      ...key,
      ...rater,
      seq,
      rating: rating === 'none' ? null : rating,
      reason: reason.trim(),
      id: newId(now),
      now,
    });
    return { task_id: task.id, event_id: eventId, rating };
  },
});
