import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { eventObject } from '../../events/event-object.ts';
import { readEventSeq } from '../../events/event-position.ts';
import { defineStream, type StreamContext } from '../../contract/operation.ts';
import { followTask } from '../../events/task-event-feed.ts';
import { readSharedTask, shareId } from './shared-task.ts';

/** Whether the same reader can still read the same task at this URL. */
async function isStillShared(id: string, taskId: string, context: StreamContext): Promise<boolean> {
  if (!(await context.access.isStillValid())) return false;
  try {
    return (await readSharedTask(id, context)).id === taskId;
  } catch (error) {
    if (error instanceof Fault && (error.code === 'not_found' || error.code === 'unauthenticated')) return false;
    throw error;
  }
}

export const shareStream = defineStream('GET', 'share.stream', {
  summary: 'Streams the conversation of a shared task as server-sent events, like task.stream, until sharing ends.',
  access: 'visitor',
  request: z.object({
    share_id: shareId,
    last_event_id: z
      .string()
      .optional()
      .meta({ description: 'Resumes after this event; the Last-Event-ID header takes precedence.' }),
  }),
  response: z.object({ data: eventObject }),
  async follow({ share_id: id, last_event_id: lastEventId }, context) {
    const task = await readSharedTask(id, context);
    const afterSeq = lastEventId === undefined ? 0 : readEventSeq('last_event_id', task, lastEventId);
    const key = { accountId: task.accountId, taskId: task.id };
    const access = { id: `share ${id} ${context.access.id}`, isStillValid: () => isStillShared(id, task.id, context) };
    return (signal) =>
      followTask(context, key, { access, afterSeq, isVerbose: false, wantsDeltas: false, showsAccount: false }, signal);
  },
});
