import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const projectList = defineCommand({
  name: 'project list',
  summary: 'List the projects of an account, the newest first.',
  args: {},
  options: accountOption,
  examples: [['project list', 'their ids and names']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('project.list');
      const rows = list.data.map(({ id, created_at, name }) => [id, formatTime(created_at), terminalLine(name, 100)]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no projects');
      else printText(shell, formatTable([['ID', 'CREATED (UTC)', 'NAME'], ...rows]));
      return exitCode.done;
    });
  },
});
