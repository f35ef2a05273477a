import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const webhookRotateKeys = defineCommand({
  name: 'webhook rotate-keys',
  summary: 'Make new keys for signing webhooks; the old ones stay valid for a week.',
  args: {},
  options: accountOption,
  examples: [['webhook rotate-keys', 'receivers then fetch webhook.publicKey again']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const keys = await connection.call('webhook.rotateKeys');
      if (options.json) printJson(shell, keys);
      else printText(shell, `new signing keys: ${keys.standard_webhooks_public_key}`);
      return exitCode.done;
    });
  },
});
