import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';

export const keyCreate = defineCommand({
  name: 'key create',
  summary: 'Create an API key and print it, this once.',
  args: {},
  options: {
    name: { type: 'string', value: 'NAME', about: 'What the key is for (default: command line).' },
    ...accountOption,
  },
  examples: [['key create --name ci', 'prints the key; only a digest of it is kept']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const created = await connection.call('key.create', { name: options.name ?? 'command line' });
      if (options.json) printJson(shell, created);
      else {
        printText(shell, created.api_key);
        printNote(shell, `key ${created.key.id} "${terminalLine(created.key.name)}"; it is shown only now`);
      }
      return exitCode.done;
    });
  },
});
