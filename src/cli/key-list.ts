import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const keyList = defineCommand({
  name: 'key list',
  summary: 'List the API keys of an account.',
  args: {},
  options: accountOption,
  examples: [['key list --account you@example.com', 'the keys of one account']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('key.list');
      if (options.json) {
        printJson(shell, list);
        return exitCode.done;
      }
      const rows = list.data.map((key) => [
        key.id,
        `…${terminalLine(key.tail)}`,
        formatTime(key.created_at),
        formatTime(key.last_used_at),
        terminalLine(key.name, 80),
      ]);
      if (rows.length === 0) printNote(shell, 'no keys');
      else printText(shell, formatTable([['ID', 'KEY', 'CREATED (UTC)', 'LAST USED', 'NAME'], ...rows]));
      return exitCode.done;
    });
  },
});
