import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const appDelete = defineCommand({
  name: 'app delete',
  summary: 'Delete an OAuth application; all of its tokens end at once.',
  args: { CLIENT_ID: 'Id of the application, as app list shows it.' },
  options: accountOption,
  examples: [['app delete 0Ab…', 'its users are disconnected']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const deleted = await connection.call('app.delete', { client_id: args.CLIENT_ID });
      if (options.json) printJson(shell, deleted);
      else printText(shell, `deleted ${args.CLIENT_ID}`);
      return exitCode.done;
    });
  },
});
