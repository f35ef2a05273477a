import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';

export const bridgeLink = defineCommand({
  name: 'bridge link',
  summary: 'Print a code that links a chat of Telegram or Slack with the agent of an account.',
  args: {},
  options: accountOption,
  details: 'Send it to the bot from the chat, as /link CODE. It works once, for ten minutes.',
  examples: [['bridge link', 'prints the code, and where to send it']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const made = await connection.call('bridge.link');
      if (options.json) printJson(shell, made);
      else {
        printText(shell, made.code);
        for (const { platform, name, url } of made.bots) {
          printNote(shell, terminalLine(`${platform}: send it to ${name}${url === null ? '' : `, or open ${url}`}`, 300));
        }
      }
      return exitCode.done;
    });
  },
});
