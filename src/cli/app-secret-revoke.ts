import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const appSecretRevoke = defineCommand({
  name: 'app secret revoke',
  summary: 'Revoke a secret of an OAuth application for good.',
  args: { CLIENT_ID: 'Id of the application.', SECRET_ID: 'Id of the secret, as app show shows it.' },
  options: accountOption,
  examples: [['app secret revoke 0Ab… 0Cd…', 'nobody proves to be the application with it from then on']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const revoked = await connection.call('app.revokeSecret', { client_id: args.CLIENT_ID, secret_id: args.SECRET_ID });
      if (options.json) printJson(shell, revoked);
      else printText(shell, `revoked ${args.SECRET_ID}`);
      return exitCode.done;
    });
  },
});
