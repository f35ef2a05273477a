import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printNote } from './output.ts';
import { requireOption, teamOption } from './team-option.ts';

export const teamRemove = defineCommand({
  name: 'team remove',
  summary: 'Take a member out of a team.',
  args: {},
  options: {
    ...teamOption,
    email: { type: 'string', value: 'EMAIL', about: 'E-mail address or id of the member.' },
  },
  examples: [['team remove --team Research --email bob@example.com', 'ends at once what they shared']],
  async run(shell, { options }) {
    const [team, member] = [requireOption(options, 'team'), requireOption(options, 'email')];
    return withConnection(shell, { account: undefined }, async (connection) => {
      const removed = await connection.call('team.remove', { team, member });
      if (options.json) printJson(shell, removed);
      else printNote(shell, `account ${removed.account_id} is in the team no longer`);
      return exitCode.done;
    });
  },
});
