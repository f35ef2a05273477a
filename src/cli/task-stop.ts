import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';
import { taskIdArgument } from './task-id.ts';

export const taskStop = defineCommand({
  name: 'task stop',
  summary: 'Stop a task; a message makes it go on.',
  args: taskIdArgument,
  options: accountOption,
  examples: [['task stop 0Ab…', 'does nothing to a task that is not running']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      await connection.call('task.stop', { task_id: args.TASK_ID });
      if (options.json) printJson(shell, { task_id: args.TASK_ID });
      else printText(shell, `stopped ${args.TASK_ID}`);
      return exitCode.done;
    });
  },
});
