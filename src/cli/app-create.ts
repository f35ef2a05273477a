import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { formatTable, printJson, printNote, printText } from './output.ts';

export const appCreate = defineCommand({
  name: 'app create',
  summary: 'Register an OAuth application and print its client id and secret.',
  args: {},
  options: {
    name: { type: 'string', value: 'NAME', about: 'What its users see.' },
    'redirect-uri': {
      type: 'string',
      multiple: true,
      value: 'URI',
      about: 'Where its users are sent back to, compared to the character; may be given several times.',
    },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      about: 'What it may ask for: create_task (default), manage_all_tasks, create_project, use_connectors, use_my_browsers.',
    },
    trusted: { type: 'string', choices: ['team', 'public'], about: 'Bound by no scope: for its team, or for everybody.' },
    'public-client': { type: 'boolean', about: 'It cannot keep a secret, such as a program on a device; it gets none.' },
    homepage: { type: 'string', value: 'URL', about: 'Address that its users are shown.' },
    ...accountOption,
  },
  examples: [
    ['app create --name Reports --redirect-uri https://reports.example/callback', 'an application that may create tasks'],
    ['app create --name Desktop --public-client --redirect-uri myapp:done --scope manage_all_tasks', 'one without a secret'],
  ],
  async run(shell, { options }) {
    const { name, 'redirect-uri': redirectUris, scope: scopes, trusted, homepage } = options;
    if (name === undefined) throw new UsageFault('--name is missing');
    if (redirectUris === undefined) throw new UsageFault('--redirect-uri is missing');
    const input = { name, redirect_uris: redirectUris, scopes, trusted, homepage, public_client: options['public-client'] };
    return withConnection(shell, { account: options.account }, async (connection) => {
      const created = await connection.call('app.create', input);
      if (options.json) printJson(shell, created);
      else {
        const rows = [['client_id', created.client_id]];
        if (created.client_secret !== undefined) rows.push(['client_secret', created.client_secret]);
        printText(shell, formatTable(rows));
        if (created.client_secret !== undefined) printNote(shell, 'the secret is shown only now');
      }
      return exitCode.done;
    });
  },
});
