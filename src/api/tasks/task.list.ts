import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { boundUserOf, narrowToOrigin, type OriginFilter } from '../../rules/accounts/access.ts';
import { defaultAgentId, defaultAgentShortcut } from '../../rules/agents/default-agent.ts';
import { taskStatuses, type TaskStatus } from '../../rules/events/task-event.ts';
import { changeMetadata } from '../../rules/tasks/task-metadata.ts';
import { listTasks } from '../../store/tasks/task-list.ts';
import { readExternalUser } from '../contract/external-user-field.ts';
import { gatherMetadata, metadataField, readMetadata } from './metadata-field.ts';
import { cursor, pageEnd, queryInteger, queryTime } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { presentTask, taskObject } from './task-object.ts';

const request = z.object({
  limit: queryInteger(1, 100, 20),
  cursor,
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'The order by creation time.' }),
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
  status: z.string().optional().meta({ description: 'One or more statuses, separated by commas.' }),
  created_after: queryTime('Unix time in seconds, exclusive.'),
  created_before: queryTime('Unix time in seconds, exclusive.'),
  external_user_id: z.string().optional().meta({ description: 'Only tasks created for this person.' }),
  schedule_id: z.string().optional().meta({ description: 'Only tasks that this schedule started.' }),
  query: z.string().max(200).optional().meta({ description: 'A part of the title, ignoring case, or the id.' }),
  metadata: metadataField.meta({ description: 'Sent as `metadata.<key>=<value>`; tasks must match every pair.' }),
});

type Input = z.output<typeof request>;

function checkScope({ scope, agent_id, project_id }: Input): void {
  if (scope === 'agent_subtask' && agent_id === undefined) throw missingField('agent_id', ' when scope is agent_subtask');
  if (scope === 'project' && project_id === undefined) throw missingField('project_id', ' when scope is project');
}

/** An invalid id matches nothing. */
function matchesNothing(
  { agent_id, project_id, schedule_id, external_user_id, query }: Input,
  { oauthClientId, apiKeyId }: OriginFilter,
): boolean {
  if ([project_id, schedule_id].some((id) => id !== undefined && !isId(id))) return true;
  // No row contains NUL, and PostgreSQL rejects it.
  if ([agent_id, external_user_id, query].some((text) => text?.includes('\0'))) return true;
  return [oauthClientId, apiKeyId].some((id) => id !== null && !/^[!-~]{1,200}$/.test(id));
}

/** An agent id as stored with tasks; matches nothing if it is not a UUID. */
function readAgentId(agentId: string | undefined, accountId: string): string | null {
  if (agentId === undefined) return null;
  return agentId === defaultAgentShortcut ? defaultAgentId(accountId) : agentId.toWellFormed().toLowerCase();
}

function readStatuses(text: string | undefined): TaskStatus[] | null {
  if (text === undefined) return null;
  const names = [...new Set(text.split(','))];
  const known = taskStatuses.filter((status) => names.includes(status));
  if (known.length === names.length) return known;
  throw invalidField('status', `must be of ${taskStatuses.join(', ')}, separated by commas`);
}

/** Filters by properties of tasks, not by their creator. */
function readFurther({ status, created_after, created_before, external_user_id, query, metadata }: Input) {
  return {
    statuses: readStatuses(status),
    // Responses contain whole seconds.
    createdAfterMs: created_after === undefined ? null : created_after * 1000 + 999,
    createdBeforeMs: created_before === undefined ? null : created_before * 1000,
    externalUserId: external_user_id?.toWellFormed() ?? null,
    query: query?.toWellFormed() || null,
    metadata: changeMetadata({}, readMetadata(metadata)),
  };
}

export const taskList = defineOperation('GET', 'task.list', {
  summary: "Lists the account's tasks by creation time, newest first.",
  details:
    "Includes tasks hidden from the web application's list, but not the main tasks of agents. Ids that match nothing give an empty list.",
  access: 'tasks',
  prepare: gatherMetadata,
  request,
  response: z.object({ data: z.array(taskObject), ...pageEnd }),
  async handle(given, context) {
    const { principal, read } = context;
    const bound = boundUserOf(principal);
    const input = bound === null ? given : { ...given, external_user_id: bound };
    if (bound !== null && given.external_user_id !== undefined) readExternalUser(given.external_user_id, principal);
    const origin = narrowToOrigin(principal, input.oauth_client_id ?? null, input.api_key_id ?? null);
    checkScope(input);
    const { limit, cursor: after, order, scope, agent_id, project_id } = input;
    const further = readFurther(input);
    const query = ['task.list', principal.accountId, order, scope, agent_id, project_id, origin.oauthClientId, origin.apiKeyId];
    const { status, created_after, created_before, metadata } = input;
    const narrowed = [...query, status, created_after, created_before, metadata && JSON.stringify(metadata)];
    // Left out where they are not given, so that cursors of earlier releases stay valid.
    if (input.external_user_id !== undefined || input.query !== undefined) narrowed.push(input.external_user_id, input.query);
    if (input.schedule_id !== undefined) narrowed.push(`schedule ${input.schedule_id}`);
    const filter = {
      accountId: principal.accountId,
      order,
      taskType: scope === 'all' ? null : scope,
      projectId: project_id ?? null,
      scheduleId: input.schedule_id ?? null,
      agentId: readAgentId(agent_id, principal.accountId),
      ...further,
      ...origin,
    };
    const { items, end } = await readListPage(
      { query: narrowed, cursor: after, limit },
      async (afterId, count) => (matchesNothing(input, origin) ? [] : read(listTasks, { ...filter, afterId, limit: count })),
      (task) => task.id,
    );
    return { data: items.map((task) => presentTask(task, context)), ...end };
  },
});
