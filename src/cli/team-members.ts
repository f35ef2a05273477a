import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printText } from './output.ts';
import { requireOption, teamOption } from './team-option.ts';

export const teamMembers = defineCommand({
  name: 'team members',
  summary: 'List the members of a team.',
  args: {},
  options: { ...teamOption },
  examples: [['team members --team Research', 'its owner first']],
  async run(shell, { options }) {
    const team = requireOption(options, 'team');
    return withConnection(shell, { account: undefined }, async (connection) => {
      const list = await connection.call('team.members', { team });
      const rows = list.data.map(({ account_id, role, joined_at, email }) => [
        account_id,
        role,
        formatTime(joined_at),
        terminalLine(email),
      ]);
      if (options.json) printJson(shell, list);
      else printText(shell, formatTable([['ACCOUNT', 'ROLE', 'JOINED (UTC)', 'EMAIL'], ...rows]));
      return exitCode.done;
    });
  },
});
