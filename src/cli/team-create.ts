import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';
import { requireOption } from './team-option.ts';

export const teamCreate = defineCommand({
  name: 'team create',
  summary: 'Create a team and print its id.',
  args: {},
  options: {
    name: { type: 'string', value: 'NAME', about: 'What the team is called.' },
    owner: { type: 'string', value: 'ACCOUNT', about: 'E-mail address or id of its owner (default: the first account).' },
  },
  examples: [['team create --name Research --owner ann@example.com', 'prints the id of the team']],
  async run(shell, { options }) {
    const name = requireOption(options, 'name');
    return withConnection(shell, { account: undefined }, async (connection) => {
      const created = await connection.call('team.create', { name, owner: options.owner });
      if (options.json) printJson(shell, { team_id: created.team.id, ...created });
      else printText(shell, created.team.id);
      return exitCode.done;
    });
  },
});
