import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { requireEmail } from './email-option.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTime, printJson, printNote, printText } from './output.ts';
import { requireOption, teamOption } from './team-option.ts';

export const teamInvite = defineCommand({
  name: 'team invite',
  summary: 'Invite somebody into a team and print the token of the invitation, this once.',
  args: {},
  options: {
    ...teamOption,
    email: { type: 'string', value: 'EMAIL', about: 'Address of the account that may accept.' },
    role: { type: 'string', choices: ['admin', 'member'], about: 'As what (default: member).' },
  },
  examples: [['team invite --team Research --email bob@example.com', 'prints the token']],
  async run(shell, { options }) {
    const [team, email] = [requireOption(options, 'team'), requireEmail(options.email)];
    return withConnection(shell, { account: undefined }, async (connection) => {
      const invited = await connection.call('team.invite', { team, email, role: options.role });
      if (options.json) printJson(shell, invited);
      else {
        printText(shell, invited.token);
        printNote(shell, `${terminalLine(invited.email)} can accept until ${formatTime(invited.expires_at)} (UTC), once`);
      }
      return exitCode.done;
    });
  },
});
