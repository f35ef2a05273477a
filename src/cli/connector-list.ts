import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, printJson, printNote, printText } from './output.ts';

export const connectorList = defineCommand({
  name: 'connector list',
  summary: 'List the connectors of an account and how they do.',
  args: {},
  options: accountOption,
  examples: [['connector list', 'which servers tasks can use']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('connector.list');
      const rows = list.data.map(({ id, status, tools, name, url, problem }) => [
        id,
        terminalLine(status),
        String(tools.length),
        terminalLine(name, 60),
        terminalLine(problem ?? url, 160),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no connectors');
      else printText(shell, formatTable([['ID', 'STATUS', 'TOOLS', 'NAME', 'URL OR PROBLEM'], ...rows]));
      return exitCode.done;
    });
  },
});
