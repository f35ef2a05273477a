import { defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { requireEmail } from './email-option.ts';
import { exitCode } from './exit-code.ts';
import { passwordOption, readPassword } from './password-input.ts';
import { formatTable, printJson, printNote, printText } from './output.ts';

export const accountCreate = defineCommand({
  name: 'account create',
  summary: 'Create an account and print its id and a first API key.',
  args: {},
  options: {
    email: { type: 'string', value: 'EMAIL', about: 'E-mail address of its owner.' },
    plan: { type: 'string', choices: ['free', 'pro', 'team'], about: 'What the account may use (default: pro).' },
    ...passwordOption,
  },
  examples: [['account create --email ann@example.com --plan free', 'prints account_id and api_key']],
  async run(shell, { options }) {
    const { plan } = options;
    const email = requireEmail(options.email);
    const password = options['password-stdin'] ? await readPassword(shell) : undefined;
    return withConnection(shell, { account: undefined }, async (connection) => {
      const created = await connection.call('account.create', { email, plan, password });
      if (options.json) printJson(shell, created);
      else {
        printText(
          shell,
          formatTable([
            ['account_id', created.account_id],
            ['api_key', created.api_key],
          ]),
        );
        printNote(shell, 'the key is shown only now');
      }
      return exitCode.done;
    });
  },
});
