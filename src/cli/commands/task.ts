import { cleanLine, cleanText } from '@errand/base/text/terminal-text.ts';
import { CommandFault, UsageFault } from '../exit-code.ts';
import {
  accountOption,
  budgetOption,
  decisionOptions,
  priorityOption,
  externalUserOption,
  limitOption,
  metadataOption,
  readBudget,
  readDecisionTimeout,
  readLimit,
  readPairs,
} from '../input/options.ts';
import { columns, formatTable, formatTime, printReport, reportList } from '../output/print.ts';
import { messageOptions, promptArgument, readMessage, writeMessage } from '../tasks/task-message.ts';
import { noteIfUnattended } from '../tasks/unattended.ts';
import { withConnection } from '../transport/connect.ts';
import type { Connection } from '../transport/connection.ts';
import { defineCommand } from './command.ts';
import { defineRequest, reportDone } from './request-command.ts';

const taskIdArgument = { TASK_ID: 'Task ID.' } as const;

const create = defineCommand({
  name: 'task create',
  summary: 'Create a task that runs in the background and print its ID.',
  args: promptArgument,
  options: {
    ...messageOptions,
    title: { type: 'string', value: 'TITLE', about: 'Title of the task (default: derived from the prompt).' },
    profile: { type: 'string', value: 'PROFILE', about: 'service-1.6 (default), service-1.6-lite or service-1.6-max.' },
    locale: { type: 'string', value: 'LOCALE', about: 'Language of the result, for example en or zh-CN.' },
    interactive: { type: 'boolean', about: 'Let the agent ask questions.' },
    ...externalUserOption,
    ...metadataOption,
    ...budgetOption,
    ...priorityOption,
    ...decisionOptions,
    ...accountOption,
  },
  examples: [
    ['task create "write hello.md with Hello"', 'prints the ID of the new task'],
    ['task create - < prompt.txt', 'a long prompt'],
  ],
  async run(shell, { options, args }) {
    const [metadata, budget, decisionTimeout] = [readPairs(options), readBudget(options), readDecisionTimeout(options)];
    const message = await readMessage(shell, args.PROMPT, options);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const task = await connection.call('task.create', {
        ...(await writeMessage(message, connection)),
        title: options.title,
        agent_profile: options.profile,
        locale: options.locale,
        interactive_mode: options.interactive,
        external_user_id: options['external-user'],
        metadata,
        budget,
        priority: options.priority,
        decision_timeout: decisionTimeout,
      });
      const note = `created "${cleanLine(task.task_title)}", ${cleanLine(task.task_url)}`;
      const exit = printReport(shell, options.json, { text: task.task_id, notes: [note], json: task });
      noteIfUnattended(shell, connection);
      return exit;
    });
  },
});

const show = defineCommand({
  name: 'task show',
  summary: 'Show the status and latest reply of a task.',
  args: taskIdArgument,
  options: accountOption,
  examples: [['task show 0Ab…', 'its title, status, times, URL and latest reply']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const { task } = await connection.call('task.detail', { task_id: args.TASK_ID });
      const { messages } = await connection.call('task.listMessages', { task_id: args.TASK_ID });
      const message = messages.find((event) => event.assistant_message)?.assistant_message?.content ?? null;
      const table = formatTable([
        ['id', task.id],
        ['title', cleanLine(task.title)],
        ['status', cleanLine(task.status)],
        ['created', `${formatTime(task.created_at)} UTC`],
        ['updated', `${formatTime(task.updated_at)} UTC`],
        ['url', cleanLine(task.task_url)],
      ]);
      const text = message === null ? table : `${table}\n\n${cleanText(message)}`;
      return printReport(shell, options.json, { text, json: { task, message } });
    });
  },
});

const send = defineCommand({
  name: 'task send',
  summary: 'Send a message to a task: an answer, a correction or a follow-up.',
  args: { ...taskIdArgument, TEXT: 'Text of the message; - reads it from standard input.' },
  options: { ...messageOptions, ...accountOption },
  details: 'A running task reads it before its next step, a waiting task takes it as the answer, and a stopped task resumes.',
  examples: [['task send 0Ab… "the blue one"', 'answers a question']],
  async run(shell, { options, args }) {
    const message = await readMessage(shell, args.TEXT, options);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const input = { task_id: args.TASK_ID, ...(await writeMessage(message, connection)) };
      const sent = await connection.call('task.sendMessage', input);
      const note = `sent; to follow the task: errand task watch ${sent.task_id}`;
      const exit = printReport(shell, options.json, { text: sent.task_id, notes: [note], json: sent });
      noteIfUnattended(shell, connection);
      return exit;
    });
  },
});

/** The fields that allow further actions of the same kind. */
const lastingFields = ['always_allow', 'global_allow'];

/** The action that a task is waiting for a person to confirm. */
async function findAction(connection: Connection, taskId: string) {
  const { messages } = await connection.call('task.listMessages', { task_id: taskId });
  const detail = messages.find((event) => event.status_update)?.status_update?.status_detail;
  if (detail?.waiting_for_event_id === undefined) throw new CommandFault('the task is not waiting for anything');
  const { waiting_for_event_id: eventId, waiting_for_event_type: kind, waiting_description: asked = '' } = detail;
  if (kind === 'messageAskUser') {
    throw new CommandFault(`the agent asks a question; answer it with errand task send ${taskId} "…"`);
  }
  if (kind === 'budget') throw new CommandFault(`${cleanLine(asked)} Decide it with errand inbox decide.`);
  const fields = Object.keys(detail.confirm_input_schema?.properties ?? {});
  return { eventId, asked, lasting: lastingFields.find((field) => fields.includes(field)) };
}

const confirm = defineCommand({
  name: 'task confirm',
  summary: 'Allow or reject the action that a waiting task asks about.',
  args: taskIdArgument,
  options: {
    reject: { type: 'boolean', about: 'Reject the action; the agent continues without it.' },
    always: { type: 'boolean', about: 'Also allow actions of the same kind for the rest of the task.' },
    ...accountOption,
  },
  details: 'task watch shows the action. Answer a question with task send.',
  examples: [
    ['task confirm 0Ab…', 'allows the action'],
    ['task confirm 0Ab… --reject', 'rejects it and tells the agent'],
  ],
  async run(shell, { options, args }) {
    if (options.reject && options.always) throw new UsageFault('--always cannot be combined with --reject');
    return withConnection(shell, { account: options.account }, async (connection) => {
      const { eventId, asked, lasting } = await findAction(connection, args.TASK_ID);
      if (options.always && lasting === undefined) throw new CommandFault('--always: this action can be allowed only once');
      const input = { accept: options.reject !== true, ...(options.always && lasting !== undefined && { [lasting]: true }) };
      const confirmed = await connection.call('task.confirmAction', { task_id: args.TASK_ID, event_id: eventId, input });
      const note = `${options.reject ? 'rejected' : 'allowed'}: ${cleanLine(asked)}`;
      const exit = printReport(shell, options.json, { text: confirmed.task_id, notes: [note], json: confirmed });
      noteIfUnattended(shell, connection);
      return exit;
    });
  },
});

const stop = defineRequest('task stop', 'task.stop', {
  summary: 'Stop a task; a message resumes it.',
  args: taskIdArgument,
  examples: [['task stop 0Ab…', 'has no effect on a task that is not running']],
  report: (_, { args }) => ({ text: `stopped ${args.TASK_ID}`, json: { task_id: args.TASK_ID } }),
});

const list = defineRequest('task list', 'task.list', {
  summary: 'List tasks, newest first.',
  options: {
    ...limitOption,
    query: { type: 'string', short: 'q', value: 'TEXT', about: 'Only tasks with this text in their title, or with this ID.' },
    status: { type: 'string', value: 'STATUS', about: 'Only running, waiting, stopped or error; several with commas.' },
    ...externalUserOption,
    ...metadataOption,
    order: { type: 'string', choices: ['desc', 'asc'], about: 'Newest first (desc, default) or oldest first.' },
    cursor: { type: 'string', value: 'CURSOR', about: 'Continue an earlier list at this cursor.' },
  },
  examples: [
    ['task list --limit 5', 'the five newest'],
    ['task list --query invoice --status running,waiting', 'those that are not over, with this word in their title'],
    ['task list --json', 'for a program; next_cursor continues the list'],
  ],
  input: ({ options }) => ({
    limit: readLimit(options),
    order: options.order,
    cursor: options.cursor,
    query: options.query,
    status: options.status,
    external_user_id: options['external-user'],
    ...Object.fromEntries(Object.entries(readPairs(options) ?? {}).map(([key, value]) => [`metadata.${key}`, value])),
  }),
  report({ data, next_cursor: cursor }) {
    const report = reportList(data, 'no tasks', {
      ...columns.id,
      ...columns.status,
      ...columns.created,
      TITLE: ({ title }) => cleanLine(title, 80),
    });
    return cursor === undefined ? report : { ...report, notes: [`more: errand task list --cursor ${cursor}`] };
  },
});

const remove = defineRequest('task delete', 'task.delete', {
  summary: 'Permanently delete a task and everything it made.',
  args: taskIdArgument,
  examples: [['task delete 0Ab…', 'stops the task first if it is running']],
  report: reportDone('deleted'),
});

const clear = defineRequest('task clear', 'task.clear', {
  summary: "Empty the agent's main task: messages, files, workspace, and subtasks.",
  args: taskIdArgument,
  details: 'The id and the settings of the task stay. It must not be running.',
  examples: [['task clear agent-default-main_task', 'begins the conversation anew']],
  report: reportDone('emptied'),
});

/** `errand task …`, except watch */
export const taskCommands = [create, show, send, confirm, stop, list, remove, clear];
