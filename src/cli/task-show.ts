import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, terminalText, formatTable, formatTime, printJson, printText } from './output.ts';
import { taskIdArgument } from './task-id.ts';

export const taskShow = defineCommand({
  name: 'task show',
  summary: 'Show how a task stands and what it last said.',
  args: taskIdArgument,
  options: accountOption,
  examples: [['task show 0Ab…', 'status, times and the newest reply']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const { task } = await connection.call('task.detail', { task_id: args.TASK_ID });
      const { messages } = await connection.call('task.listMessages', { task_id: args.TASK_ID });
      const reply = messages.find((event) => event.assistant_message)?.assistant_message?.content ?? null;
      if (options.json) {
        printJson(shell, { task, message: reply });
        return exitCode.done;
      }
      const rows = [
        ['id', task.id],
        ['title', terminalLine(task.title)],
        ['status', terminalLine(task.status)],
        ['created', `${formatTime(task.created_at)} UTC`],
        ['updated', `${formatTime(task.updated_at)} UTC`],
        ['address', terminalLine(task.task_url)],
      ];
      printText(shell, formatTable(rows) + (reply === null ? '' : `\n\n${terminalText(reply)}`));
      return exitCode.done;
    });
  },
});
