import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printNote } from './output.ts';

export const identityUnlink = defineCommand({
  name: 'identity unlink',
  summary: 'End that somebody at a provider of OpenID Connect signs in to an account.',
  args: { ISSUER: 'Issuer of the provider, as identity list shows it.' },
  options: accountOption,
  examples: [
    ['identity unlink https://login.example.com --account ann@example.com', 'who comes next with the address is linked'],
  ],
  async run(shell, { args, options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const done = await connection.call('identity.unlink', { issuer: args.ISSUER });
      if (options.json) printJson(shell, done);
      else printNote(shell, 'unlinked; sessions that are open stay open (account sign-out ends them)');
      return exitCode.done;
    });
  },
});
