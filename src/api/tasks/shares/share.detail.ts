import { z } from 'zod';
import { taskStatuses } from '../../../rules/events/task-event.ts';
import { shareVisibility } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readSharedTask, shareId } from './shared-task.ts';

const unixSeconds = z.int().meta({ description: 'Unix time in seconds.' });

export const shareDetail = defineOperation({
  name: 'share.detail',
  method: 'GET',
  summary: 'Gets a task that is shared, for whoever has its address; without a word about whose it is.',
  access: 'visitor',
  cost: 'read',
  request: z.object({ share_id: shareId }),
  response: z.object({
    task: z.object({
      title: z.string(),
      status: z.enum(taskStatuses),
      share_visibility: shareVisibility,
      created_at: unixSeconds,
      updated_at: unixSeconds,
    }),
  }),
  async handle({ share_id: id }, context) {
    const task = await readSharedTask(id, context);
    return {
      task: {
        title: task.title,
        status: task.status,
        share_visibility: task.shareVisibility,
        created_at: Math.floor(task.createdAtMs / 1000),
        updated_at: Math.floor(task.updatedAtMs / 1000),
      },
    };
  },
});
