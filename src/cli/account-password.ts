import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { printJson, printNote } from './output.ts';
import { passwordOption, readPassword } from './password-input.ts';

export const accountPassword = defineCommand({
  name: 'account password',
  summary: 'Set the password with which the user of an account signs in.',
  args: {},
  options: { ...passwordOption, ...accountOption },
  examples: [['account password --account ann@example.com --password-stdin < password.txt', 'from a file']],
  async run(shell, { options }) {
    if (!options['password-stdin']) throw new UsageFault('--password-stdin is missing');
    const password = await readPassword(shell);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const done = await connection.call('account.setPassword', { password });
      if (options.json) printJson(shell, done);
      else printNote(shell, 'the password is set');
      return exitCode.done;
    });
  },
});
