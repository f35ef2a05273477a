import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const teamList = defineCommand({
  name: 'team list',
  summary: 'List the teams of this instance.',
  args: {},
  options: {},
  examples: [['team list', 'the oldest first']],
  async run(shell, { options }) {
    return withConnection(shell, { account: undefined }, async (connection) => {
      const list = await connection.call('team.list', { limit: 100 });
      const rows = list.data.map(({ id, created_at, member_count, name }) => [
        id,
        formatTime(created_at),
        String(member_count),
        terminalLine(name, 100),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no teams');
      else printText(shell, formatTable([['ID', 'CREATED (UTC)', 'MEMBERS', 'NAME'], ...rows]));
      return exitCode.done;
    });
  },
});
