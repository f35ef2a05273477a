import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';
import { taskIdArgument } from './task-id.ts';

export const taskDelete = defineCommand({
  name: 'task delete',
  summary: 'Delete a task with everything it made, for good.',
  args: taskIdArgument,
  options: accountOption,
  examples: [['task delete 0Ab…', 'a running task is stopped first']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const deleted = await connection.call('task.delete', { task_id: args.TASK_ID });
      if (options.json) printJson(shell, deleted);
      else printText(shell, `deleted ${args.TASK_ID}`);
      return exitCode.done;
    });
  },
});
