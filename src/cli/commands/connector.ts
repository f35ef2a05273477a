import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { exitCode, UsageFault } from '../exit-code.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { requireOption } from '../input/options.ts';
import { readPairs } from '../input/standard-input.ts';
import { readTextInput } from '../input/text-input.ts';
import { type Report, columns, reportList, reportRows } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import type { ResultOf } from '../transport/operations.ts';
import { defineRequest, reportDone } from './request-command.ts';

type Connector = ResultOf<'connector.check'>['connector'];

const connectorIdArgument = { CONNECTOR_ID: 'Connector ID, as shown by connector list.' } as const;

const connectorOptions = {
  name: { type: 'string', value: 'NAME', about: 'Name of the connector.' },
  description: { type: 'string', value: 'TEXT', about: 'What the connector is for.' },
  category: { type: 'string', value: 'WORD', about: 'Category, such as productivity (default: other).' },
  default: { type: 'boolean', about: 'Also use it in tasks that name no connectors.' },
} as const satisfies OptionTable;

const apiOptions = {
  'base-url': {
    type: 'string',
    value: 'URL',
    about: "Address below which the operations are (default: the document's first server).",
  },
  'key-header': { type: 'string', value: 'NAME', about: 'Header that takes the key.' },
  'key-query': { type: 'string', value: 'NAME', about: 'Query parameter that takes the key.' },
  bearer: { type: 'boolean', about: 'The key is a bearer token.' },
  basic: { type: 'string', value: 'USERNAME', about: 'User name; the key is the password.' },
  operation: { type: 'string', multiple: true, value: 'NAME', about: 'Operation to use (default: all); repeatable.' },
} as const satisfies OptionTable;

type ApiOptions = { 'key-header'?: string; 'key-query'?: string; bearer?: true; basic?: string };

type ConnectorOptions = { description?: string; category?: string; default?: true };

/** What every kind of connector is created with. */
function readConnector(options: ConnectorOptions) {
  const { description, category, default: enabled_by_default } = options;
  return { name: requireOption(options, 'name'), description, category, enabled_by_default };
}

function noteTools({ problem, tools }: Connector): string {
  return cleanLine(problem ?? `tools: ${tools.join(', ') || 'none'}`, 500);
}

const reportCreated = ({ connector }: { connector: Connector }): Report => ({
  text: connector.id,
  notes: [noteTools(connector)],
});

const list = defineRequest('connector list', 'connector.list', {
  summary: 'List the connectors of an account and their status.',
  examples: [['connector list', 'the MCP servers that tasks can use']],
  report: reportRows('no connectors', {
    ...columns.id,
    ...columns.status,
    TOOLS: ({ tools }) => String(tools.length),
    NAME: ({ name }) => cleanLine(name, 60),
    'URL OR PROBLEM': ({ problem, url }) => cleanLine(problem ?? url, 160),
  }),
});

const add = defineRequest('connector add', 'connector.create', {
  summary: 'Connect a remote MCP server and print the ID of the connector.',
  args: { URL: 'URL of the server (streamable HTTP).' },
  options: {
    ...connectorOptions,
    header: {
      type: 'string',
      multiple: true,
      value: '"NAME: VALUE"',
      about: 'Header sent with every request, such as Authorization; repeatable.',
    },
    'headers-stdin': { type: 'boolean', about: 'Read headers from standard input, one per line.' },
    'oauth-client-id': { type: 'string', value: 'ID', about: 'Client ID for a server that does not register clients itself.' },
    'oauth-client-secret-stdin': { type: 'boolean', about: 'Read the secret of that client from standard input.' },
  },
  examples: [
    ['connector add https://mcp.example.com/mcp --name Library', 'a server that needs no key'],
    ['connector add https://mcp.example.com/mcp --name Library --headers-stdin < key.txt', 'with a key'],
  ],
  async input({ options, args }, shell) {
    const connector = readConnector(options);
    const headers = await readPairs(shell, 'header', { given: options.header, isPiped: options['headers-stdin'] });
    const oauth_client_secret = options['oauth-client-secret-stdin'] ? (await text(shell.stdin)).trim() : undefined;
    return { ...connector, url: args.URL, headers, oauth_client_id: options['oauth-client-id'], oauth_client_secret };
  },
  report: reportCreated,
});

const addCommand = defineRequest('connector add-command', 'connector.createCommand', {
  summary: 'Connect a local MCP server (a command on this machine) and print the ID of the connector.',
  args: { COMMAND: 'A shell command line, run in the sandbox; quote it.' },
  options: {
    ...connectorOptions,
    folder: { type: 'string', value: 'DIR', about: 'Folder that contains the program, mounted as /opt/library.' },
    'environment-stdin': { type: 'boolean', about: 'Read variables NAME=VALUE from standard input, one per line.' },
  },
  examples: [
    ['connector add-command "node /opt/library/node_modules/.bin/mcp-server-memory" --name Memory --folder /srv/mcp', 'from npm'],
  ],
  async input({ options, args }, shell) {
    const environment = await readPairs(shell, 'variable', { isPiped: options['environment-stdin'] });
    const folder = options.folder === undefined ? undefined : resolve(options.folder);
    return { ...readConnector(options), command: args.COMMAND, folder, environment };
  },
  report: reportCreated,
});

const documentArgument = { DOCUMENT: 'OpenAPI document, 3.0 or 3.1, in JSON or YAML: a URL or a file.' } as const;

async function readDocument(shell: Shell, place: string) {
  return /^https?:\/\//.test(place) ? { document_url: place } : { document: await readTextInput(shell, place) };
}

const readApi = defineRequest('connector read-api', 'connector.readApi', {
  summary: 'List the operations of an HTTP API by its OpenAPI document.',
  args: documentArgument,
  examples: [['connector read-api https://api.example.com/openapi.json', 'what connector add-api can choose from']],
  input: ({ args }, shell) => readDocument(shell, args.DOCUMENT),
  report: ({ operations }) =>
    reportList(operations, 'no operations', {
      NAME: ({ name }) => cleanLine(name, 60),
      METHOD: ({ method }) => cleanLine(method.toUpperCase()),
      PATH: ({ path }) => cleanLine(path, 80),
      'SUMMARY OR PROBLEM': ({ summary, problem }) => cleanLine(problem ?? summary, 100),
    }),
});

/** The sign-in of an API; its secret comes from standard input, where other programs cannot see it. */
async function readSignIn(options: ApiOptions, shell: Shell) {
  const { 'key-header': header, 'key-query': query, bearer, basic } = options;
  const given = [header, query, bearer, basic].filter((each) => each !== undefined);
  if (given.length > 1) throw new UsageFault('give one of --key-header, --key-query, --bearer and --basic');
  if (given.length === 0) return undefined;
  const key = (await text(shell.stdin)).trim();
  if (basic !== undefined) return { type: 'basic', username: basic, password: key };
  if (bearer) return { type: 'bearer', key };
  return header === undefined ? { type: 'query', name: query, key } : { type: 'header', name: header, key };
}

const addApi = defineRequest('connector add-api', 'connector.createApi', {
  summary: 'Connect an HTTP API by its OpenAPI document and print the ID of the connector.',
  args: documentArgument,
  options: { ...connectorOptions, ...apiOptions },
  details: 'The key or password is read from standard input.',
  examples: [
    ['connector add-api openapi.yaml --name Shop --key-header X-Api-Key < key.txt', 'with a key in a header'],
    ['connector add-api https://api.example.com/openapi.json --name Pets --operation listPets', 'one operation, without a key'],
  ],
  async input({ options, args }, shell) {
    const connector = readConnector(options);
    const sign_in = await readSignIn(options, shell);
    const { 'base-url': base_url, operation: operations } = options;
    return { ...connector, ...(await readDocument(shell, args.DOCUMENT)), base_url, sign_in, operations };
  },
  report: reportCreated,
});

const check = defineRequest('connector check', 'connector.check', {
  summary: 'Check whether a connector works and which tools it has.',
  args: connectorIdArgument,
  details: 'Exits with 1 if the connector cannot be used.',
  examples: [['connector check 7d0f…', 'prints its status, and the problem if there is one']],
  report: ({ connector }) => ({
    text: cleanLine(connector.status),
    notes: [noteTools(connector)],
    exit: connector.problem === null ? exitCode.done : exitCode.failed,
  }),
});

const remove = defineRequest('connector delete', 'connector.delete', {
  summary: 'Delete a connector and its credentials.',
  args: connectorIdArgument,
  examples: [['connector delete 7d0f…', 'tasks lose its tools from their next turn on']],
  report: reportDone('deleted'),
});

/** `errand connector …` */
export const connectorCommands = [list, add, readApi, addApi, addCommand, check, remove];
