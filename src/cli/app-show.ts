import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, formatTime, printJson, printText } from './output.ts';

export const appShow = defineCommand({
  name: 'app show',
  summary: 'Show an OAuth application and the ids of its secrets.',
  args: { CLIENT_ID: 'Id of the application, as app list shows it.' },
  options: accountOption,
  examples: [['app show 0Ab…', 'its addresses, scopes and secrets']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const shown = await connection.call('app.show', { client_id: args.CLIENT_ID });
      if (options.json) {
        printJson(shell, shown);
        return exitCode.done;
      }
      const { app, secrets } = shown;
      const rows = [
        ['client_id', app.client_id],
        ['name', terminalLine(app.name, 80)],
        ['type', app.public_client ? `${app.type}, without a secret` : app.type],
        ['scopes', app.scopes.join(' ')],
        ...app.redirect_uris.map((uri) => ['redirect_uri', terminalLine(uri, 2000)]),
        ...secrets.map((secret) => ['secret', `${secret.id} …${terminalLine(secret.tail)} ${formatTime(secret.created_at)}`]),
      ];
      printText(shell, formatTable(rows));
      return exitCode.done;
    });
  },
});
