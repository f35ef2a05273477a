import { z } from 'zod';
import { Fault, invalidField } from '../base/fault.ts';
import { isId } from '../base/ids.ts';
import { listTasks } from '../store/task-list.ts';
import { cursor, pageEnd, queryInteger } from './fields.ts';
import { missing } from './input-check.ts';
import { type Context, defineOperation } from './operation.ts';
import { readPage } from './page.ts';
import { presentTask, taskObject } from './task-object.ts';

const request = z.object({
  limit: queryInteger(1, 100, 20),
  cursor,
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'By creation time.' }),
  scope: z.enum(['all', 'agent_subtask', 'project', 'standard']).default('all'),
  agent_id: z.string().optional().meta({ description: 'Required when `scope` is `agent_subtask`.' }),
  project_id: z.string().optional().meta({ description: 'Required when `scope` is `project`.' }),
  oauth_client_id: z.string().optional().meta({ description: 'Only tasks this application created; not with `api_key_id`.' }),
  api_key_id: z.string().optional().meta({ description: 'Only tasks this API key created; not with `oauth_client_id`.' }),
});

type Input = z.output<typeof request>;

function checkScope({ scope, agent_id, project_id, oauth_client_id, api_key_id }: Input): void {
  if (oauth_client_id !== undefined && api_key_id !== undefined) {
    throw invalidField('api_key_id', 'cannot be combined with oauth_client_id');
  }
  if (scope === 'agent_subtask' && agent_id === undefined)
    throw new Fault('invalid_argument', `agent_id ${missing} when scope is agent_subtask`);
  if (scope === 'project' && project_id === undefined)
    throw new Fault('invalid_argument', `project_id ${missing} when scope is project`);
  if (agent_id === 'agent-default') throw new Fault('not_found', 'agent not found');
}

/** Projects, agents and applications do not exist yet, so an id of one is an id of nothing: an empty list. */
function matchesNothing({ agent_id, project_id, oauth_client_id, api_key_id }: Input): boolean {
  return (
    [agent_id, project_id, oauth_client_id].some((id) => id !== undefined) || (api_key_id !== undefined && !isId(api_key_id))
  );
}

function readTasks(input: Input, { principal, read }: Context) {
  return (afterId: string | null, limit: number) =>
    read(listTasks, {
      accountId: principal.accountId,
      order: input.order,
      afterId,
      taskType: input.scope === 'all' ? null : input.scope,
      apiKeyId: input.api_key_id ?? null,
      limit,
    });
}

export const taskList = defineOperation({
  name: 'task.list',
  method: 'GET',
  summary: 'Lists the tasks of the account by creation time, newest first.',
  details:
    'Tasks that are hidden from the list of the web application are among them. Ids that match nothing give an empty list.',
  access: 'account',
  cost: 'read',
  request,
  response: z.object({ data: z.array(taskObject), ...pageEnd }),
  async handle(input, context) {
    checkScope(input);
    const { limit, cursor: after, ...filters } = input;
    const query = ['task.list', context.principal.accountId, ...Object.entries(filters).flat()];
    const read = matchesNothing(input) ? () => Promise.resolve([]) : readTasks(input, context);
    const { items, end } = await readPage({ query, cursor: after, limit }, read, (task) => task.id);
    return { data: items.map((task) => presentTask(task, context)), ...end };
  },
});
