import { z } from 'zod';
import { queryInteger } from '../api/contract/fields.ts';
import { presentTask } from '../api/tasks/task-object.ts';
import { invalidField } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { searchTasks } from '../store/tasks/task-search.ts';
import { readPageOfConversations } from './legacy-conversations.ts';
import { defineLegacy } from './legacy-operation.ts';
import { currentStatus, legacyStatuses, legacyTask, presentLegacyTask } from './legacy-task-object.ts';

const seconds = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a Unix time in seconds')
  .transform(Number)
  .optional();

const request = z.object({
  after: z.string().optional().meta({ description: 'The last id of the previous page.' }),
  limit: queryInteger(1, 1000, 100),
  order: z.enum(['asc', 'desc']).default('desc'),
  orderBy: z.enum(['created_at', 'updated_at']).default('created_at'),
  query: z.string().max(200).optional().meta({ description: "Text in the title or the user's messages, or the id." }),
  status: z.array(z.enum(legacyStatuses)).optional(),
  createdAfter: seconds,
  createdBefore: seconds,
  projectId: z.string().optional(),
});

export const taskListLegacy = defineLegacy('GET', '/v1/tasks', {
  summary: 'Lists tasks with the end of their conversations.',
  access: 'tasks',
  repeatable: 'status',
  request,
  response: z.object({
    object: z.literal('list'),
    data: z.array(legacyTask),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  }),
  async handle({ after = null, limit, order, orderBy, query = null, status = null, ...input }, context) {
    if (after !== null && !isId(after)) throw invalidField('after', 'must be the id of a task');
    // Values that no row can have, and that PostgreSQL rejects.
    const isHopeless = query?.includes('\0') || (input.projectId !== undefined && !isId(input.projectId));
    const search = {
      accountId: context.principal.accountId,
      afterId: after,
      order,
      sortBy: orderBy,
      texts: query === null ? [] : [query],
      statuses: status?.map(currentStatus) ?? null,
      createdFromMs: input.createdAfter === undefined ? null : input.createdAfter * 1000,
      createdUntilMs: input.createdBefore === undefined ? null : input.createdBefore * 1000,
      projectId: input.projectId ?? null,
      limit: limit + 1,
    };
    const found = isHopeless ? [] : await context.read(searchTasks, search);
    const ids = found.slice(0, limit).map(({ id }) => id);
    const page = (await readPageOfConversations(ids, context)).flatMap((conversation, index) => {
      const task = found[index];
      return task ? presentLegacyTask(presentTask(task, context), conversation) : [];
    });
    return {
      object: 'list' as const,
      data: page,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: found.length > page.length,
    };
  },
});
