import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, terminalText, formatTable, printJson, printText } from './output.ts';

export const agentShow = defineCommand({
  name: 'agent show',
  summary: 'Show the default agent of an account and its main task.',
  args: {},
  options: accountOption,
  examples: [['agent show', 'its nickname, what it is about, and the task to talk to it in']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const found = await connection.call('agent.detail', { agent_id: 'agent-default' });
      const { id, nickname, task_id: taskId, about } = found.agent;
      const rows = [
        ['id', id],
        ['nickname', terminalLine(nickname)],
        ['main task', taskId],
      ];
      if (options.json) printJson(shell, found);
      else printText(shell, formatTable(rows) + (about === '' ? '' : `\n\n${terminalText(about)}`));
      return exitCode.done;
    });
  },
});
