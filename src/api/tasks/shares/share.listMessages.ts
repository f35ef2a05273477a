import { z } from 'zod';
import { slidesFormats } from '../../../rules/events/public-attachment.ts';
import { eventObject } from '../../events/event-object.ts';
import { readEventPage } from '../../events/event-page.ts';
import { cursor, pageEnd, queryInteger } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readSharedTask, shareId } from './shared-task.ts';

export const shareListMessages = defineOperation('GET', 'share.listMessages', {
  summary: 'Lists the conversation of a shared task, newest first, without tool inputs.',
  access: 'visitor',
  request: z.object({
    share_id: shareId,
    limit: queryInteger(1, 200, 50),
    cursor,
    order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Newest first by default.' }),
    slides_format: z.enum(slidesFormats).default('html').meta({ description: 'Format of slides among the attachments.' }),
  }),
  response: z.object({ messages: z.array(eventObject), ...pageEnd }),
  async handle({ share_id: id, limit, cursor: from, order, slides_format: slidesFormat }, context) {
    const { accountId, id: taskId } = await readSharedTask(id, context);
    const query = ['share.listMessages', id, order];
    const place = { accountId, taskId, order, isVerbose: false, fromSeq: null };
    const { messages, end } = await readEventPage(
      { query, cursor: from, limit, place, slidesFormat, showsAccount: false },
      context,
    );
    return { messages, ...end };
  },
});
