import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../exit-code.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { requireOption } from '../input/options.ts';
import { columns, formatTable, formatTime, reportRows } from '../output/print.ts';
import { defineRequest, reportDone } from './request-command.ts';

const clientIdArgument = { CLIENT_ID: 'Client ID, as shown by app list.' } as const;

const appOptions = {
  name: { type: 'string', value: 'NAME', about: 'Name shown to users.' },
  'redirect-uri': {
    type: 'string',
    multiple: true,
    value: 'URI',
    about: 'Redirect URI, compared character by character except for the port on the loopback interface; repeatable.',
  },
  type: {
    type: 'string',
    choices: ['native', 'web'],
    about: 'native: a program with loopback redirect URIs or a scheme of its own; web: https only. Default: both.',
  },
  scope: {
    type: 'string',
    multiple: true,
    value: 'SCOPE',
    about: 'Allowed scope: create_task (default), manage_all_tasks, create_project, use_connectors, use_my_browsers; repeatable.',
  },
  homepage: { type: 'string', value: 'URL', about: 'Home page shown to users.' },
} as const satisfies OptionTable;

const create = defineRequest('app create', 'app.create', {
  summary: 'Register an OAuth application and print its client ID and secret.',
  options: {
    ...appOptions,
    trusted: { type: 'string', choices: ['team', 'public'], about: 'Lift the limits of scopes, for its team or for everyone.' },
    'public-client': { type: 'boolean', about: 'For an application that cannot keep a secret, such as one on a device.' },
  },
  examples: [
    ['app create --name Reports --redirect-uri https://reports.example/callback', 'an application that may create tasks'],
    [
      'app create --name Desktop --public-client --type native --redirect-uri http://127.0.0.1/done',
      'without a secret, on any port',
    ],
  ],
  input({ options }) {
    const { 'redirect-uri': redirect_uris, scope: scopes, trusted, homepage, 'public-client': public_client, type } = options;
    const name = requireOption(options, 'name');
    if (redirect_uris === undefined) throw new UsageFault('--redirect-uri is missing');
    return { name, redirect_uris, scopes, trusted, homepage, public_client, application_type: type };
  },
  report({ client_id, client_secret }) {
    if (client_secret === undefined) return { text: formatTable([['client_id', client_id]]) };
    return { text: formatTable(Object.entries({ client_id, client_secret })), notes: ['the secret is shown only once'] };
  },
});

const list = defineRequest('app list', 'app.list', {
  summary: 'List the OAuth applications of an account.',
  examples: [['app list', 'those of the first account']],
  report: reportRows('no applications', {
    'CLIENT ID': ({ client_id }) => client_id,
    TYPE: ({ type }) => type,
    ...columns.created,
    SCOPES: ({ scopes }) => scopes.join(' '),
    NAME: ({ name }) => cleanLine(name, 80),
  }),
});

const show = defineRequest('app show', 'app.show', {
  summary: 'Show an OAuth application and the IDs of its secrets.',
  args: clientIdArgument,
  examples: [['app show 0Ab…', 'its redirect URIs, scopes and secrets']],
  report: ({ app, secrets }) => ({
    text: formatTable([
      ['client_id', app.client_id],
      ['name', cleanLine(app.name, 80)],
      ...(app.application_type ? [['application_type', app.application_type]] : []),
      ['type', app.public_client ? `${app.type}, without a secret` : app.type],
      ['scopes', app.scopes.join(' ')],
      ...app.redirect_uris.map((uri) => ['redirect_uri', cleanLine(uri, 2000)]),
      ...secrets.map((secret) => ['secret', `${secret.id} …${cleanLine(secret.tail)} ${formatTime(secret.created_at)}`]),
    ]),
  }),
});

const update = defineRequest('app update', 'app.update', {
  summary: 'Change an OAuth application; omitted settings stay unchanged.',
  args: clientIdArgument,
  options: {
    ...appOptions,
    trusted: { type: 'string', choices: ['team', 'public', 'no'], about: 'Lift the limits of scopes, or restore them (no).' },
  },
  details: `--redirect-uri and --scope replace the previous lists. If the application may do more than before, its tokens are revoked and
its users have to consent again.`,
  examples: [['app update 0Ab… --scope manage_all_tasks', 'its users have to consent again']],
  input: ({ options: { name, 'redirect-uri': redirect_uris, scope: scopes, trusted, homepage, type }, args }) => ({
    client_id: args.CLIENT_ID,
    name,
    redirect_uris,
    scopes,
    trusted,
    homepage,
    application_type: type,
  }),
  report: reportDone('updated'),
});

const remove = defineRequest('app delete', 'app.delete', {
  summary: 'Delete an OAuth application and revoke all its tokens.',
  args: clientIdArgument,
  examples: [['app delete 0Ab…', 'disconnects its users']],
  report: reportDone('deleted'),
});

const addSecret = defineRequest('app secret add', 'app.addSecret', {
  summary: 'Add a secret to an OAuth application and print it once.',
  args: clientIdArgument,
  examples: [['app secret add 0Ab…', 'up to five at a time, so that you can rotate them without downtime']],
  report: ({ client_secret, secret }) => ({ text: client_secret, notes: [`secret ${secret.id}; it is shown only once`] }),
});

const revokeSecret = defineRequest('app secret revoke', 'app.revokeSecret', {
  summary: 'Revoke a secret of an OAuth application permanently.',
  args: { ...clientIdArgument, SECRET_ID: 'Secret ID, as shown by app show.' },
  examples: [['app secret revoke 0Ab… 0Cd…', 'the secret no longer authenticates the application']],
  report: reportDone('revoked'),
});

/** `errand app …` */
export const appCommands = [create, list, show, update, remove, addSecret, revokeSecret];
