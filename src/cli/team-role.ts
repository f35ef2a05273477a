import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printNote } from './output.ts';
import { requireOption, teamOption } from './team-option.ts';

export const teamRole = defineCommand({
  name: 'team role',
  summary: 'Make a member of a team an admin, or an admin a member.',
  args: {},
  options: {
    ...teamOption,
    email: { type: 'string', value: 'EMAIL', about: 'E-mail address or id of the member.' },
    role: { type: 'string', choices: ['admin', 'member'], about: 'As what.' },
  },
  examples: [['team role --team Research --email bob@example.com --role admin', 'lets bob invite others']],
  async run(shell, { options }) {
    const [team, member] = [requireOption(options, 'team'), requireOption(options, 'email')];
    const role = requireOption(options, 'role');
    return withConnection(shell, { account: undefined }, async (connection) => {
      const changed = await connection.call('team.setRole', { team, member, role });
      if (options.json) printJson(shell, changed);
      else printNote(shell, `account ${changed.account_id} is ${role} now`);
      return exitCode.done;
    });
  },
});
