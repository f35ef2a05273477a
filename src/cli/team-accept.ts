import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, printJson, printNote } from './output.ts';
import { requireOption } from './team-option.ts';

export const teamAccept = defineCommand({
  name: 'team accept',
  summary: 'Accept an invitation for the account that has the invited address.',
  args: {},
  options: {
    token: { type: 'string', value: 'TOKEN', about: 'What team invite printed.' },
  },
  examples: [['team accept --token TOKEN', 'works once, for seven days']],
  async run(shell, { options }) {
    const token = requireOption(options, 'token');
    return withConnection(shell, { account: undefined }, async (connection) => {
      const joined = await connection.call('team.accept', { token });
      if (options.json) printJson(shell, joined);
      else printNote(shell, `account ${joined.account_id} is in ${terminalLine(joined.team)} as ${joined.role}`);
      return exitCode.done;
    });
  },
});
