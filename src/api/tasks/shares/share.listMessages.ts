import { z } from 'zod';
import { slidesFormats } from '../../../rules/events/public-attachment.ts';
import { presentEvent } from '../../../rules/events/present.ts';
import { readShown } from '../../../store/events/events.ts';
import { attachmentView } from '../../events/attachment-view.ts';
import { eventObject } from '../../events/event-object.ts';
import { cursor, pageEnd, queryInteger } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readListPage } from '../../contract/list-page.ts';
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
    const { items, end } = await readListPage(
      { query: ['share.listMessages', id, order], cursor: from, limit },
      (position, count) => {
        const fromSeq = position === null ? null : Number(position);
        return context.read(readShown, { accountId, taskId, order, isVerbose: false, fromSeq, limit: count });
      },
      ({ seq }) => String(seq),
    );
    const view = attachmentView(context.urls, accountId, slidesFormat);
    return { messages: items.flatMap((event) => presentEvent(taskId, event, view) ?? []), ...end };
  },
});
