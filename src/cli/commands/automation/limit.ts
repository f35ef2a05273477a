import { UsageFault } from '../../exit-code.ts';
import { readRunningTasks } from '../../input/options.ts';
import { formatTable } from '../../output/print.ts';
import { defineRequest } from '../request-command.ts';

const scopes = ['account', 'project', 'key', 'external_user'];
/** What is shown of the limit that each person has. */
const everyone = 'each person';

const list = defineRequest('limit list', 'limit.list', {
  summary:
    'List how many tasks of an account, its projects, its keys, and people of its product run at once, and how many do now.',
  examples: [['limit list', 'the limits of the first account']],
  input: () => ({}),
  report({ data, running, max_running_tasks: most }) {
    const rows = data.map(({ scope, id, running: now, running_tasks: limit }) => [
      scope,
      id ?? everyone,
      now === null ? '' : String(now),
      String(limit),
    ]);
    const ofOperator = most === null ? '' : `; the operator allows ${most}`;
    const table = rows.length > 0 ? formatTable([['SCOPE', 'ID', 'RUNNING', 'LIMIT'], ...rows]) : 'no limits';
    return { text: table, notes: [`${running} running now${ofOperator}`] };
  },
});

const set = defineRequest('limit set', 'limit.set', {
  summary: 'Limit how many tasks of an account, project, key, or person of your product run at once.',
  args: { SCOPE: `What is limited: ${scopes.join(', ')}.`, TASKS: 'How many run at once; none removes the limit.' },
  options: {
    id: {
      type: 'string',
      value: 'ID',
      about: 'ID of what is limited; not for account. Without it, external_user limits each person.',
    },
  },
  examples: [
    ['limit set account 20', 'the others wait until one of the 20 has ended'],
    ['limit set key 2 --id 0Ab…', 'what one API key may run at once'],
    ['limit set external_user 3', 'what each person of your product may run at once'],
    ['limit set account none', 'removes the limit'],
  ],
  input({ args, options }) {
    if (!scopes.includes(args.SCOPE)) throw new UsageFault(`SCOPE is one of ${scopes.join(', ')}`);
    const tasks = args.TASKS === 'none' ? null : readRunningTasks('TASKS', args.TASKS);
    return { scope: args.SCOPE, id: options.id, running_tasks: tasks };
  },
  report: ({ limit }) => ({ text: limit ? `${limit.running_tasks} at once` : 'removed' }),
});

/** `errand limit …` */
export const limitCommands = [list, set];
