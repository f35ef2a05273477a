import { z } from 'zod';
import { taskStatuses } from '../../../rules/events/task-event.ts';
import { shareVisibility } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readSharedTask, shareId } from './shared-task.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const shareDetail = defineOperation('GET', 'share.detail', {
  summary: 'Returns a shared task to anyone with its URL, without revealing its owner.',
  access: 'visitor',
  request: z.object({ share_id: shareId }),
  response: z.object({
    task: z.object({
      title: z.string(),
      status: z.enum(taskStatuses),
      share_visibility: shareVisibility,
      created_at: unixTime,
      updated_at: unixTime,
    }),
  }),
  async handle({ share_id: id }, context) {
    const task = await readSharedTask(id, context);
    return {
      task: {
        title: task.title,
        status: task.status,
        share_visibility: task.shareVisibility,
        created_at: toUnixTime(task.createdAtMs),
        updated_at: toUnixTime(task.updatedAtMs),
      },
    };
  },
});
