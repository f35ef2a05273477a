import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { CommandFault, exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

/** A key is looked for in one account; people forget to say in which. */
function explain(error: unknown, account: string | undefined): unknown {
  if (!(error instanceof CommandFault) || error.code !== 'not_found' || error.message !== 'API key not found') return error;
  const place =
    account === undefined ? 'the first account has no live key with this id' : `${account} has no live key with this id`;
  const remedy = 'for a key of another account add --account ACCOUNT; errand key list --account ACCOUNT shows what there is';
  return new CommandFault(`${place}; ${remedy}`, { code: error.code, cause: error });
}

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: 'Revoke an API key for good.',
  args: { KEY_ID: 'Id of the key, as key list shows it.' },
  options: accountOption,
  examples: [['key revoke 0Ab…', 'requests with the key are refused from then on']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const revoked = await connection.call('key.revoke', { key_id: args.KEY_ID }).catch((error: unknown) => {
        throw explain(error, options.account);
      });
      if (options.json) printJson(shell, revoked);
      else printText(shell, `revoked ${args.KEY_ID}`);
      return exitCode.done;
    });
  },
});
