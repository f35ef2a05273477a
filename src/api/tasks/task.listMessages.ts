import { z } from 'zod';
import { mayKnowAccount } from '../../rules/accounts/access.ts';
import { slidesFormats } from '../../rules/events/public-attachment.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import { getReadableTask } from '../../store/tasks/tasks.ts';
import { eventObject } from '../events/event-object.ts';
import { readEventPage } from '../events/event-page.ts';
import { readEventSeq } from '../events/event-position.ts';
import { cursor, pageEnd, queryFlag, queryInteger, taskId } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

const request = z.object({
  task_id: taskId,
  limit: queryInteger(1, 200, 50),
  cursor,
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Newest first by default.' }),
  verbose: queryFlag('Also tool_used, plan_update, new_plan_step and explanation events.'),
  slides_format: z.enum(slidesFormats).default('html').meta({ description: 'Format of slides among the attachments.' }),
  start_event_id: z.string().optional().meta({ description: 'The event the first page starts with, in the requested order.' }),
});

type Input = z.output<typeof request>;

/** The task to read, and the exclusive start of the first page; null for the first end. */
interface Place {
  key: TaskKey;
  start: number | null;
}

/** Skipped for most callers, who read their own tasks from one end and find events. */
async function findPlace({ task_id, order, start_event_id }: Input, context: Context): Promise<Place> {
  const task = await context.read(getReadableTask, keyOfTask(task_id, context));
  if (start_event_id === undefined) return { key: task.key, start: null };
  const seq = readEventSeq('start_event_id', task, start_event_id);
  return { key: task.key, start: order === 'asc' ? seq - 1 : seq + 1 };
}

function readEvents(
  { order, verbose, limit, cursor: from, start_event_id = '', slides_format: slidesFormat }: Input,
  { key, start }: Place,
  context: Context,
) {
  const query = ['task.listMessages', context.principal.accountId, key.taskId, order, verbose, start_event_id];
  const place = { ...key, order, isVerbose: verbose, fromSeq: start };
  const showsAccount = mayKnowAccount(context.principal);
  return readEventPage({ query, cursor: from, limit, place, slidesFormat, showsAccount }, context);
}

export const taskListMessages = defineOperation('GET', 'task.listMessages', {
  summary: "Lists a task's events, newest first.",
  details: 'A cursor is valid for the same task, order, verbose, and start_event_id; the limit may change between pages.',
  access: 'task_reads',
  request,
  response: z.object({ task_id: z.string(), messages: z.array(eventObject), ...pageEnd }),
  async handle(input, context) {
    const own = keyOfTask(input.task_id, context);
    const place = input.start_event_id === undefined ? { key: own, start: null } : await findPlace(input, context);
    let page = await readEvents(input, place, context);
    // Nearly every task has visible events, so only after an empty page is it unknown whether the task exists, and whose it is.
    if (page.messages.length === 0) {
      const found = await findPlace(input, context);
      if (found.key.accountId !== place.key.accountId) page = await readEvents(input, found, context);
    }
    return { task_id: own.taskId, messages: page.messages, ...page.end };
  },
});
