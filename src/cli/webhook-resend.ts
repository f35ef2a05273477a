import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const webhookResend = defineCommand({
  name: 'webhook resend',
  summary: 'Send a delivery again.',
  args: { DELIVERY_ID: 'Id of the delivery, as webhook deliveries shows it.' },
  options: accountOption,
  examples: [['webhook resend 0Ab…', 'the same event with the same id and body, signed anew']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const sent = await connection.call('webhook.resend', { delivery_id: args.DELIVERY_ID });
      if (options.json) printJson(shell, sent);
      else printText(shell, `queued ${args.DELIVERY_ID}`);
      return exitCode.done;
    });
  },
});
