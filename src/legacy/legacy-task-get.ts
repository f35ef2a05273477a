import { z } from 'zod';
import { queryFlag } from '../api/contract/fields.ts';
import { taskDetail } from '../api/tasks/task.detail.ts';
import { askCurrent, defineLegacy } from './legacy-operation.ts';
import { type CurrentTask, legacyTask, legacyTaskId, presentLegacyTask } from './legacy-task-object.ts';
import { readConversation } from './legacy-task-output.ts';

export const taskGetLegacy = defineLegacy('GET', '/v1/tasks/:task_id', {
  summary: "Returns a task's status and messages.",
  access: 'tasks',
  request: z.object({ task_id: legacyTaskId, convert: queryFlag('Slides as presentation files.') }),
  response: legacyTask,
  async handle({ task_id, convert }, context) {
    const { task } = await askCurrent<{ task: CurrentTask }>(taskDetail, { task_id }, context);
    return presentLegacyTask(
      task,
      await readConversation(task.id, { slidesFormat: convert ? 'pptx' : 'html', hasResults: false }, context),
    );
  },
});
