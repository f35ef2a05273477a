import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const bridgeUnlink = defineCommand({
  name: 'bridge unlink',
  summary: 'End the link of a chat: it speaks for nobody any more.',
  args: { CHAT_ID: 'Id of the chat, as bridge list shows it.' },
  options: accountOption,
  examples: [['bridge unlink 01Ab…', 'for a phone that was lost']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const ended = await connection.call('bridge.unlink', { chat_id: args.CHAT_ID });
      if (options.json) printJson(shell, ended);
      else printText(shell, `unlinked ${args.CHAT_ID}`);
      return exitCode.done;
    });
  },
});
