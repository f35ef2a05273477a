import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

export const identityList = defineCommand({
  name: 'identity list',
  summary: 'List who signs in to an account at a provider of OpenID Connect.',
  args: {},
  options: accountOption,
  examples: [['identity list --account ann@example.com', 'issuer, subject and address']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('identity.list');
      const rows = list.data.map(({ issuer, subject, email, last_used_at: usedAt }) => [
        terminalLine(issuer, 120),
        terminalLine(subject, 120),
        terminalLine(email ?? '', 120),
        usedAt === null ? 'never' : formatTime(usedAt),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'nobody signs in to this account at a provider');
      else printText(shell, formatTable([['ISSUER', 'SUBJECT', 'E-MAIL', 'LAST USED (UTC)'], ...rows]));
      return exitCode.done;
    });
  },
});
