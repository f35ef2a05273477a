import { z } from 'zod';
import { eventId } from '@errand/base/ids.ts';
import { boundClientOf, boundUserOf } from '../../../rules/accounts/access.ts';
import { listRatings, type Rating, ratingValues } from '../../../store/events/ratings.ts';
import { cursor, pageEnd, queryInteger } from '../../contract/fields.ts';
import { readListPage } from '../../contract/list-page.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

const excerptLength = 300;

const ratingObject = z
  .object({
    task_id: z.string(),
    task_title: z.string(),
    event_id: z.string().meta({ description: 'The answer that was rated.' }),
    message: z.string().meta({ description: `The first ${excerptLength} characters of the answer.` }),
    rating: z.enum(ratingValues),
    reason: z.string().meta({ description: 'Empty if none was given.' }),
    user_id: z.string().meta({ description: 'The account of who rated it.' }),
    email: z.string().optional(),
    external_user_id: z.string().optional().meta({ description: 'The person of the product who rated it.' }),
    rated_at: unixTime,
  })
  .meta({ id: 'Rating' });

function presentRating(rating: Rating): z.input<typeof ratingObject> {
  const { taskId, seq, atMs, email, externalUserId } = rating;
  return {
    task_id: taskId,
    task_title: rating.title,
    event_id: eventId(taskId, seq, atMs),
    message: Array.from(rating.text).slice(0, excerptLength).join(''),
    rating: rating.rating,
    reason: rating.reason,
    user_id: rating.authorId,
    ...(email !== null && { email }),
    ...(externalUserId !== '' && { external_user_id: externalUserId }),
    rated_at: toUnixTime(rating.ratedAtMs),
  };
}

export const taskListRatings = defineOperation('GET', 'task.listRatings', {
  summary: 'Lists what people think of the answers of the agent, the latest first.',
  details:
    "Of all tasks of the account, or of one. Of a task that a team member shares, it lists the caller's own ratings, and so it does for apps with `create_task` only and with `Errand-User`, without addresses.",
  access: 'tasks',
  request: z.object({
    task_id: z.string().min(1).optional(),
    rating: z.enum(ratingValues).optional(),
    limit: queryInteger(1, 100, 20),
    cursor,
  }),
  response: z.object({ data: z.array(ratingObject), ...pageEnd }),
  async handle({ task_id: id, rating = null, limit, cursor: from }, context) {
    const { principal, read } = context;
    const { accountId } = principal;
    const key = { accountId, onlyClientId: boundClientOf(principal), onlyUserId: boundUserOf(principal) };
    const taskId = id === undefined ? null : keyOfTask(id, context).taskId;
    const { items, end } = await readListPage(
      { query: ['task.listRatings', accountId, taskId, rating], cursor: from, limit },
      (beforeId, count) => read(listRatings, { key, taskId, rating, beforeId, limit: count }),
      ({ id: position }) => position,
    );
    return { data: items.map(presentRating), ...end };
  },
});
