import { z } from 'zod';
import { optional } from '../api/contract/fields.ts';
import { taskUpdate } from '../api/tasks/task.update.ts';
import { renameTaskField } from './field-names.ts';
import { askCurrent, defineLegacy } from './legacy-operation.ts';
import { type LegacyReceipt, legacyReceipt, legacyTaskId } from './legacy-task-object.ts';

export const taskUpdateLegacy = defineLegacy('PUT', '/v1/tasks/:task_id', {
  summary: 'Renames a task, shares it, or hides it from lists.',
  access: 'tasks',
  request: z.object({
    task_id: legacyTaskId,
    title: optional(z.string()),
    enableShared: optional(z.boolean()),
    enableVisibleInTaskList: optional(z.boolean()),
  }),
  renameField: renameTaskField,
  response: legacyReceipt,
  handle: ({ task_id, title, enableShared, enableVisibleInTaskList }, context) => {
    const change = {
      task_id,
      title,
      ...(enableShared !== undefined && { share_visibility: enableShared ? 'public' : 'private' }),
      enable_visible_in_task_list: enableVisibleInTaskList,
    };
    return askCurrent<LegacyReceipt>(taskUpdate, change, context);
  },
});
