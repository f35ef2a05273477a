import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printNote } from './output.ts';

export const accountSignOut = defineCommand({
  name: 'account sign-out',
  summary: 'Sign the user of an account out at all browsers.',
  args: {},
  options: accountOption,
  details: 'Keys and applications go on working: key revoke and the settings of the account end those.',
  examples: [['account sign-out --account ann@example.com', 'for somebody who has left']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const done = await connection.call('account.signOut');
      if (options.json) printJson(shell, done);
      else printNote(shell, `signed out at ${done.ended} ${done.ended === 1 ? 'browser' : 'browsers'}`);
      return exitCode.done;
    });
  },
});
