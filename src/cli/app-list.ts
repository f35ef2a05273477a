import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const appList = defineCommand({
  name: 'app list',
  summary: 'List the OAuth applications of an account.',
  args: {},
  options: accountOption,
  examples: [['app list', 'those of the first account']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('app.list');
      if (options.json) {
        printJson(shell, list);
        return exitCode.done;
      }
      const rows = list.data.map((app) => [
        app.client_id,
        app.type,
        formatTime(app.created_at),
        app.scopes.join(' '),
        terminalLine(app.name, 80),
      ]);
      if (rows.length === 0) printNote(shell, 'no applications');
      else printText(shell, formatTable([['CLIENT ID', 'TYPE', 'CREATED (UTC)', 'SCOPES', 'NAME'], ...rows]));
      return exitCode.done;
    });
  },
});
