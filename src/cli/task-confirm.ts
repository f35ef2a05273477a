import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import type { Connection } from './connection.ts';
import { CommandFault, exitCode, UsageFault } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';
import { taskIdArgument } from './task-id.ts';
import { noteIfUnattended } from './unattended.ts';

/** The fields by which kinds of actions are allowed for the rest of the task. */
const lastingFields = ['always_allow', 'global_allow'];

/** What a task waits for a person to decide. */
async function findAction(connection: Connection, taskId: string) {
  const { messages } = await connection.call('task.listMessages', { task_id: taskId });
  const detail = messages.find((event) => event.status_update)?.status_update?.status_detail;
  if (detail?.waiting_for_event_id === undefined) throw new CommandFault('the task waits for nothing');
  const { waiting_for_event_id: eventId, waiting_for_event_type: kind, waiting_description: asked = '' } = detail;
  if (kind === 'messageAskUser') {
    throw new CommandFault(`the agent asks a question: answer it with errand task send ${taskId} "…"`);
  }
  const fields = Object.keys(detail.confirm_input_schema?.properties ?? {});
  return { eventId, asked, lasting: lastingFields.find((field) => fields.includes(field)) };
}

export const taskConfirm = defineCommand({
  name: 'task confirm',
  summary: 'Let a waiting task do what it asks about, or not.',
  args: taskIdArgument,
  options: {
    reject: { type: 'boolean', about: 'Do not do it; the agent goes on without.' },
    always: { type: 'boolean', about: 'Allow the same kind of action for the rest of the task, too.' },
    ...accountOption,
  },
  details: 'task watch shows what it asks about. A question is answered with task send.',
  examples: [
    ['task confirm 0Ab…', 'it is done'],
    ['task confirm 0Ab… --reject', 'it is not done, and the agent is told'],
  ],
  async run(shell, { options, args }) {
    if (options.reject && options.always) throw new UsageFault('--always cannot be combined with --reject');
    return withConnection(shell, { account: options.account }, async (connection) => {
      const { eventId, asked, lasting } = await findAction(connection, args.TASK_ID);
      if (options.always && lasting === undefined) throw new CommandFault('--always: this can be allowed only once');
      const input = { accept: options.reject !== true, ...(options.always && lasting !== undefined && { [lasting]: true }) };
      const confirmed = await connection.call('task.confirmAction', { task_id: args.TASK_ID, event_id: eventId, input });
      if (options.json) printJson(shell, confirmed);
      else {
        printText(shell, confirmed.task_id);
        printNote(shell, `${options.reject ? 'refused' : 'allowed'}: ${terminalLine(asked)}`);
      }
      noteIfUnattended(shell, connection);
      return exitCode.done;
    });
  },
});
