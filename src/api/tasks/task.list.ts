import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { narrowToOrigin, type OriginFilter } from '../../rules/accounts/access.ts';
import { defaultAgentId, defaultAgentShortcut } from '../../rules/agents/default-agent.ts';
import { listTasks } from '../../store/tasks/task-list.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { missing } from '../contract/input-check.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { presentTask, taskObject } from './task-object.ts';

const request = z.object({
  limit: queryInteger(1, 100, 20),
  cursor,
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'By creation time.' }),
  scope: z.enum(['all', 'agent_subtask', 'project', 'standard']).default('all'),
  agent_id: z.string().optional().meta({ description: 'Required when `scope` is `agent_subtask`.' }),
  project_id: z.string().optional().meta({ description: 'Required when `scope` is `project`.' }),
  oauth_client_id: z
    .string()
    .optional()
    .meta({ description: 'Only tasks created by this application; cannot be combined with `api_key_id`.' }),
  api_key_id: z
    .string()
    .optional()
    .meta({ description: 'Only tasks created with this API key; cannot be combined with `oauth_client_id`.' }),
});

type Input = z.output<typeof request>;

function checkScope({ scope, agent_id, project_id }: Input): void {
  if (scope === 'agent_subtask' && agent_id === undefined)
    throw new Fault('invalid_argument', `agent_id ${missing} when scope is agent_subtask`);
  if (scope === 'project' && project_id === undefined)
    throw new Fault('invalid_argument', `project_id ${missing} when scope is project`);
}

/** A text that cannot be an id matches nothing. */
function matchesNothing({ project_id }: Input, { oauthClientId, apiKeyId }: OriginFilter): boolean {
  if (project_id !== undefined && !isId(project_id)) return true;
  return [oauthClientId, apiKeyId].some((id) => id !== null && !/^[!-~]{1,200}$/.test(id));
}

/** An agent's id as tasks have it. One that is no UUID matches nothing. */
function readAgentId(agentId: string | undefined, accountId: string): string | null {
  if (agentId === undefined) return null;
  return agentId === defaultAgentShortcut ? defaultAgentId(accountId) : agentId.toWellFormed().toLowerCase();
}

export const taskList = defineOperation('GET', 'task.list', {
  summary: "Lists the account's tasks by creation time, newest first.",
  details:
    "Includes tasks hidden from the web application's list, but not the main tasks of agents. Ids that match nothing give an empty list.",
  access: 'tasks',
  request,
  response: z.object({ data: z.array(taskObject), ...pageEnd }),
  async handle(input, context) {
    const { principal, read } = context;
    const origin = narrowToOrigin(principal, input.oauth_client_id ?? null, input.api_key_id ?? null);
    checkScope(input);
    const { limit, cursor: after, order, scope, agent_id, project_id } = input;
    const query = ['task.list', principal.accountId, order, scope, agent_id, project_id, origin.oauthClientId, origin.apiKeyId];
    const filter = {
      accountId: principal.accountId,
      order,
      taskType: scope === 'all' ? null : scope,
      projectId: project_id ?? null,
      agentId: readAgentId(agent_id, principal.accountId),
      ...origin,
    };
    const { items, end } = await readListPage(
      { query, cursor: after, limit },
      async (afterId, count) => (matchesNothing(input, origin) ? [] : read(listTasks, { ...filter, afterId, limit: count })),
      (task) => task.id,
    );
    return { data: items.map((task) => presentTask(task, context)), ...end };
  },
});
