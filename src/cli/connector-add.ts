import { text } from 'node:stream/consumers';
import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { readHeaderOptions } from './connector-headers.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';
import { requireOption } from './team-option.ts';

export const connectorAdd = defineCommand({
  name: 'connector add',
  summary: 'Connect an MCP server by its address and print the id of the connector.',
  args: { URL: 'Address of the server (streamable HTTP).' },
  options: {
    name: { type: 'string', value: 'NAME', about: 'What it is called.' },
    description: { type: 'string', value: 'TEXT', about: 'What it is for.' },
    category: { type: 'string', value: 'WORD', about: 'Such as productivity (default: other).' },
    header: {
      type: 'string',
      multiple: true,
      value: '"NAME: VALUE"',
      about: 'Sent with every request, such as Authorization; may be given several times.',
    },
    'headers-stdin': { type: 'boolean', about: 'Read such headers from standard input, one a line.' },
    'oauth-client-id': {
      type: 'string',
      value: 'ID',
      about: 'What this service is known as to a server that registers nobody by itself.',
    },
    'oauth-client-secret-stdin': { type: 'boolean', about: 'Read the secret of that client from standard input.' },
    default: { type: 'boolean', about: 'For tasks that name no connectors, too.' },
    ...accountOption,
  },
  examples: [
    ['connector add https://mcp.example.com/mcp --name Library', 'one that needs no key'],
    ['connector add https://mcp.example.com/mcp --name Library --headers-stdin < key.txt', 'with a key'],
  ],
  async run(shell, { options, args }) {
    const { description, category, default: isDefault } = options;
    const name = requireOption(options, 'name');
    const headers = await readHeaderOptions(shell, options);
    const secret = options['oauth-client-secret-stdin'] ? (await text(shell.stdin)).trim() : undefined;
    const client = { oauth_client_id: options['oauth-client-id'], oauth_client_secret: secret };
    const input = { name, url: args.URL, description, category, headers, ...client, enabled_by_default: isDefault };
    return withConnection(shell, { account: options.account }, async (connection) => {
      const created = await connection.call('connector.create', input);
      if (options.json) printJson(shell, created);
      else {
        printText(shell, created.connector.id);
        const { problem, tools } = created.connector;
        printNote(shell, terminalLine(problem ?? `tools: ${tools.join(', ') || 'none'}`, 500));
      }
      return exitCode.done;
    });
  },
});
