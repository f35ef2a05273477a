import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const webhookEnable = defineCommand({
  name: 'webhook enable',
  summary: 'Make a webhook active again that was switched off by failures.',
  args: { WEBHOOK_ID: 'Id of the webhook, as webhook list shows it.' },
  options: accountOption,
  examples: [['webhook enable 0Ab…', 'events go to its address again from now on']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const enabled = await connection.call('webhook.enable', { webhook_id: args.WEBHOOK_ID });
      if (options.json) printJson(shell, enabled);
      else printText(shell, `enabled ${args.WEBHOOK_ID}`);
      return exitCode.done;
    });
  },
});
