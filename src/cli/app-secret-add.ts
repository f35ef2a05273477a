import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printNote, printText } from './output.ts';

export const appSecretAdd = defineCommand({
  name: 'app secret add',
  summary: 'Give an OAuth application another secret and print it, this once.',
  args: { CLIENT_ID: 'Id of the application, as app list shows it.' },
  options: accountOption,
  examples: [['app secret add 0Ab…', 'an application can have five, to change them without a pause']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const added = await connection.call('app.addSecret', { client_id: args.CLIENT_ID });
      if (options.json) printJson(shell, added);
      else {
        printText(shell, added.client_secret);
        printNote(shell, `secret ${added.secret.id}; it is shown only now`);
      }
      return exitCode.done;
    });
  },
});
