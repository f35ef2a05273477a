import { z } from 'zod';
import { slidesFormats } from '../rules/attachment.ts';
import { presentEvent } from '../rules/present.ts';
import { readShown } from '../store/events.ts';
import { getTask } from '../store/tasks.ts';
import { attachmentView } from './attachment-view.ts';
import { eventObject } from './event-object.ts';
import { readEventSeq } from './event-position.ts';
import { cursor, pageEnd, queryFlag, queryInteger, taskId } from './fields.ts';
import { type Context, defineOperation } from './operation.ts';
import { keyOfTask } from './owned-task.ts';
import { readPage } from './page.ts';

const request = z.object({
  task_id: taskId,
  limit: queryInteger(1, 200, 50),
  cursor,
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Newest first by default.' }),
  verbose: queryFlag('Also tool_used, plan_update, new_plan_step and explanation events.'),
  slides_format: z.enum(slidesFormats).default('html').meta({ description: 'Form of slides among the attachments.' }),
  start_event_id: z.string().optional().meta({ description: 'The first event of the first page, in the order asked for.' }),
});

type Input = z.output<typeof request>;

/** The exclusive position just before the event that the first page begins with, null for the end that comes first. */
async function findStart({ task_id, order, start_event_id }: Input, context: Context): Promise<number | null> {
  if (start_event_id === undefined) return null;
  const task = await context.read(getTask, keyOfTask(task_id, context));
  const seq = readEventSeq('start_event_id', task, start_event_id);
  return order === 'asc' ? seq - 1 : seq + 1;
}

export const taskListMessages = defineOperation({
  name: 'task.listMessages',
  method: 'GET',
  summary: 'Lists the events of a task, newest first.',
  details: 'A cursor holds for the same task, order, verbose and start_event_id; the limit may change from page to page.',
  access: 'tasks',
  cost: 'read',
  request,
  response: z.object({ task_id: z.string(), messages: z.array(eventObject), ...pageEnd }),
  async handle(input, context) {
    const { task_id, order, verbose, limit, slides_format, start_event_id = '' } = input;
    const start = await findStart(input, context);
    const key = keyOfTask(task_id, context);
    const view = attachmentView(context.urls, key.accountId, slides_format);
    const query = ['task.listMessages', key.accountId, key.taskId, order, verbose, start_event_id];
    const { items, end } = await readPage(
      { query, cursor: input.cursor, limit },
      (position, count) =>
        context.read(readShown, {
          ...key,
          order,
          isVerbose: verbose,
          fromSeq: position === null ? start : Number(position),
          limit: count,
        }),
      ({ seq }) => String(seq),
    );
    // Nearly every task has events to show, so only an empty page leaves open whether there is a task.
    if (items.length === 0) await context.read(getTask, key);
    return { task_id: key.taskId, messages: items.flatMap((event) => presentEvent(key.taskId, event, view) ?? []), ...end };
  },
});
