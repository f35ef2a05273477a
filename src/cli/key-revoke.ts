import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: 'Revoke an API key for good.',
  args: { KEY_ID: 'Id of the key, as key list shows it.' },
  options: accountOption,
  examples: [['key revoke 0Ab…', 'requests with the key are refused from then on']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const revoked = await connection.call('key.revoke', { key_id: args.KEY_ID });
      if (options.json) printJson(shell, revoked);
      else printText(shell, `revoked ${args.KEY_ID}`);
      return exitCode.done;
    });
  },
});
