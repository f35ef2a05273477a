import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const appUpdate = defineCommand({
  name: 'app update',
  summary: 'Change an OAuth application; what is not given stays as it is.',
  args: { CLIENT_ID: 'Id of the application, as app list shows it.' },
  options: {
    name: { type: 'string', value: 'NAME', about: 'What its users see.' },
    'redirect-uri': { type: 'string', multiple: true, value: 'URI', about: 'All of its addresses; replaces those of before.' },
    scope: { type: 'string', multiple: true, value: 'SCOPE', about: 'All that it may ask for; replaces what it was before.' },
    trusted: { type: 'string', choices: ['team', 'public', 'no'], about: 'By whom it is trusted from now on.' },
    homepage: { type: 'string', value: 'URL', about: 'Address that its users are shown.' },
    ...accountOption,
  },
  details: 'When it may do more than before, its users have to consent again: their tokens end.',
  examples: [['app update 0Ab… --scope manage_all_tasks', 'its users have to consent again']],
  async run(shell, { options, args }) {
    const { name, 'redirect-uri': redirectUris, scope: scopes, trusted, homepage } = options;
    const input = { client_id: args.CLIENT_ID, name, redirect_uris: redirectUris, scopes, trusted, homepage };
    return withConnection(shell, { account: options.account }, async (connection) => {
      const updated = await connection.call('app.update', input);
      if (options.json) printJson(shell, updated);
      else printText(shell, `changed ${args.CLIENT_ID}`);
      return exitCode.done;
    });
  },
});
