import { z } from 'zod';
import { archiveOffer, offerArchive } from '../../artifacts/archive-offer.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readSharedTask, shareId } from './shared-task.ts';

export const shareArchive = defineOperation('GET', 'share.archive', {
  summary: 'Returns a URL that downloads all files of a shared task as one zip, while it is shared.',
  access: 'visitor',
  request: z.object({ share_id: shareId }),
  response: archiveOffer,
  async handle({ share_id: id }, context) {
    const { accountId, id: taskId, title } = await readSharedTask(id, context);
    const addressOf = (filename: string) => context.urls.sharedArchive(id, filename);
    return offerArchive({ accountId, taskId, artifactIds: [] }, title, context, addressOf);
  },
});
