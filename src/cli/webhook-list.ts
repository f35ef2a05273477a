import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const webhookList = defineCommand({
  name: 'webhook list',
  summary: 'List the webhooks of an account.',
  args: {},
  options: accountOption,
  examples: [['webhook list', 'which addresses hear of tasks, and whether they are active']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('webhook.list');
      const rows = list.data.map(({ id, status, created_at, url }) => [
        id,
        status,
        formatTime(created_at),
        terminalLine(url, 200),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no webhooks');
      else printText(shell, formatTable([['ID', 'STATUS', 'CREATED (UTC)', 'URL'], ...rows]));
      return exitCode.done;
    });
  },
});
