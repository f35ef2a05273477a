import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, printJson, printNote, printText } from './output.ts';

export const bridgeList = defineCommand({
  name: 'bridge list',
  summary: 'List the chats that speak for an account with its agent.',
  args: {},
  options: accountOption,
  examples: [['bridge list', 'which phones talk to the agent']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('bridge.list');
      const rows = list.data.map(({ id, platform, title, problem }) => [
        id,
        platform,
        terminalLine(title, 60),
        terminalLine(problem ?? '', 120),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no chats are linked');
      else printText(shell, formatTable([['ID', 'PLATFORM', 'WHO', 'PROBLEM'], ...rows]));
      return exitCode.done;
    });
  },
});
