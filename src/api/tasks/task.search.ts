import { z } from 'zod';
import { isId } from '@errand/base/ids.ts';
import { taskStatuses } from '../../rules/events/task-event.ts';
import { searchTasks } from '../../store/tasks/task-search.ts';
import { cursor, optional, pageEnd, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { presentTask, taskObject } from './task-object.ts';

const longestText = 200;
/** Further words are ignored: each one searches every message. */
const mostWords = 5;

const request = z.object({
  limit: queryInteger(1, 100, 20),
  cursor,
  text: optional(z.string()).meta({
    description: "Words in the title or the user's messages, in any order, case-insensitive.",
  }),
  status: optional(z.enum(taskStatuses)),
  project_id: optional(z.string()),
  agent_id: optional(z.string()).meta({ description: 'Subtasks of this agent, including hidden ones.' }),
  api_key_id: optional(z.string()),
  oauth_client_id: optional(z.string()),
});

export const taskSearch = defineOperation('GET', 'task.search', {
  summary: 'Searches the tasks that the web application lists, newest first, by text and status.',
  details: 'Tasks created with hide_in_task_list are left out. A search without matches gives an empty list.',
  access: 'browser',
  request,
  response: z.object({ data: z.array(taskObject), ...pageEnd }),
  async handle({ limit, cursor: after, text, status, project_id: projectId, agent_id: agentId, ...origin }, context) {
    const { principal, read } = context;
    // No row contains NUL, and PostgreSQL rejects it.
    const isHopeless = [text, agentId, ...Object.values(origin)].some((value) => value?.includes('\0'));
    const matchesNothing = isHopeless || (projectId !== undefined && !isId(projectId)) || (text?.length ?? 0) > longestText;
    const args = {
      accountId: principal.accountId,
      order: 'desc' as const,
      sortBy: 'created_at' as const,
      texts: text?.toWellFormed().split(/\s+/u).filter(Boolean).slice(0, mostWords) ?? [],
      statuses: status === undefined ? null : [status],
      createdFromMs: null,
      createdUntilMs: null,
      projectId: projectId ?? null,
      agentId: agentId?.toWellFormed().toLowerCase() ?? null,
      apiKeyId: origin.api_key_id?.toWellFormed() ?? null,
      oauthClientId: origin.oauth_client_id?.toWellFormed() ?? null,
      isListedOnly: agentId === undefined,
    };
    const query = ['web/task.search', ...Object.values(args)];
    const { items, end } = await readListPage(
      { query, cursor: after, limit },
      async (afterId, count) => (matchesNothing ? [] : read(searchTasks, { ...args, afterId, limit: count })),
      (task) => task.id,
    );
    return { data: items.map((task) => presentTask(task, context)), ...end };
  },
});
