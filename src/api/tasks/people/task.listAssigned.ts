import { z } from 'zod';
import { listAssignedTasks } from '../../../store/tasks/people/assignees.ts';
import { cursor, pageEnd, queryInteger } from '../../contract/fields.ts';
import { readListPage } from '../../contract/list-page.ts';
import { defineOperation } from '../../contract/operation.ts';
import { presentTask, taskObject } from '../task-object.ts';

const assignedTask = taskObject.extend({ owner: z.string().meta({ description: 'Id of the account whose task it is.' }) });

export const taskListAssigned = defineOperation('GET', 'task.listAssigned', {
  summary: 'Lists the tasks that members of the team have handed over to the caller, the latest first.',
  access: 'all_tasks',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(assignedTask), ...pageEnd }),
  async handle({ limit, cursor: from }, context) {
    const { accountId } = context.principal;
    const { items, end } = await readListPage(
      { query: ['task.listAssigned', accountId], cursor: from, limit },
      (beforeId, count) => context.read(listAssignedTasks, { accountId, beforeId, limit: count }),
      ({ id: position }) => position,
    );
    return { data: items.map((task) => ({ ...presentTask(task, context), owner: task.accountId })), ...end };
  },
});
