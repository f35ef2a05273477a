import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import { limitOption, readLimit, readLimitOf } from '../../input/options.ts';
import { columns, formatTime, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest, reportDone } from '../request-command.ts';

type Item = ResultOf<'inbox.list'>['data'][number];

/** Who decided, by a name where there is one: `api_key "Reports"`, `session`, `time_limit`; a dash for what is open. */
function describeDecider({ decided_by: decider, decided_by_name: name }: Item): string {
  if (decider === undefined) return '-';
  const [kind = ''] = decider.split(':');
  return name === undefined ? cleanLine(kind, 20) : `${cleanLine(kind, 20)} "${cleanLine(name, 30)}"`;
}

const list = defineRequest('inbox list', 'inbox.list', {
  summary: 'List what waits for a person in all tasks of an account.',
  options: {
    ...limitOption,
    type: {
      type: 'string',
      choices: ['question', 'confirmation', 'sign_in', 'budget', 'failure'],
      about: 'Only items of this type.',
    },
    decided: { type: 'boolean', about: 'What was decided instead.' },
  },
  examples: [
    ['inbox list', 'questions, actions to confirm, and failures'],
    ['inbox list --type failure', 'tasks that failed'],
  ],
  input: ({ options }) => ({
    type: options.type,
    limit: readLimit(options),
    ...(options.decided && { status: 'decided' }),
  }),
  report: reportRows('nothing waits', {
    ...columns.id,
    TYPE: ({ type }) => type,
    ...columns.created,
    EXPIRES: ({ expires_at: at }: Item) => (at === undefined ? '-' : formatTime(at)),
    'DECIDED BY': describeDecider,
    TASK: ({ task_title }) => cleanLine(task_title, 40),
    TEXT: ({ text }) => cleanLine(text, 100),
  }),
});

const decide = defineRequest('inbox decide', 'inbox.decide', {
  summary: 'Decide an item of the inbox, once.',
  args: { ID: 'ID of the item, as shown by inbox list.' },
  options: {
    answer: { type: 'string', value: 'TEXT', about: 'The answer to a question, or a message to continue with.' },
    accept: { type: 'boolean', about: 'Allow the action, or let a failed task try again.' },
    reject: { type: 'boolean', about: 'Decline the action, or dismiss the failure.' },
    credits: {
      type: 'string',
      value: 'LIMIT',
      about: 'The new budget of a task that waits for one, in credits or as "2.50 USD".',
    },
    note: { type: 'string', value: 'TEXT', about: 'Why; kept with the decision.' },
  },
  examples: [
    ['inbox decide 0Ab…-7 --answer "The blue one."', 'the task continues with it'],
    ['inbox decide 0Ab…-8 --credits 80', 'the task continues with a budget of 80 credits'],
    ['inbox decide 0Ab…-9 --reject --note "Too risky."', 'the task continues without the action'],
  ],
  input({ options: { answer, accept, reject, credits: budget, note }, args }) {
    if (accept && reject) throw new UsageFault('--accept and --reject cannot be combined');
    const raised = budget === undefined ? null : readLimitOf('--credits', budget);
    if (raised && reject) throw new UsageFault('--credits and --reject cannot be combined');
    const decision = { ...(accept && { accept: true }), ...(reject && { accept: false }) };
    return { id: args.ID, answer, note, ...decision, ...(raised && { accept: true, input: raised }) };
  },
  report: reportDone('decided'),
});

const assign = defineRequest('inbox assign', 'inbox.assign', {
  summary: 'Name the member of the team who should decide an item.',
  args: { ID: 'ID of the item, as shown by inbox list.' },
  options: {
    to: { type: 'string', value: 'ACCOUNT', about: 'ID of the member’s account, as shown by team members.' },
    nobody: { type: 'boolean', about: 'Take the assignment back.' },
  },
  examples: [
    ['inbox assign 0Ab…-7 --to 0Cd…', 'this member of the team can decide it; the task has to be shared with the team'],
    ['inbox assign 0Ab…-7 --nobody', 'only the owner of the task can decide it again'],
  ],
  input({ options: { to, nobody }, args }) {
    if ((to === undefined) === (nobody !== true)) throw new UsageFault('give either --to ACCOUNT or --nobody');
    return { id: args.ID, account_id: to ?? null };
  },
  report: ({ id }, { options }) => ({ text: `${options.nobody ? 'unassigned' : 'assigned'} ${id}` }),
});

/** `errand inbox …` */
export const inboxCommands = [list, decide, assign];
