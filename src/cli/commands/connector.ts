import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { exitCode } from '../exit-code.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { requireOption } from '../input/options.ts';
import { readPairs } from '../input/standard-input.ts';
import { type Report, columns, reportRows } from '../output/print.ts';
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
export const connectorCommands = [list, add, addCommand, check, remove];
