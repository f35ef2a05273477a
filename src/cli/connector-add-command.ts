import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';
import { requireOption } from './team-option.ts';

function readVariable(line: string): [string, string] {
  const sign = line.indexOf('=');
  // The line is not repeated: it may be a key.
  if (sign <= 0) throw new UsageFault('a variable is written NAME=VALUE');
  return [line.slice(0, sign).trim(), line.slice(sign + 1)];
}

export const connectorAddCommand = defineCommand({
  name: 'connector add-command',
  summary: 'Connect an MCP server that is a command on this machine, and print the id of the connector.',
  args: { COMMAND: 'A line for the shell of the sandbox, in quotes.' },
  options: {
    name: { type: 'string', value: 'NAME', about: 'What it is called.' },
    folder: { type: 'string', value: 'DIR', about: 'Folder with the program, which it sees as /opt/library.' },
    description: { type: 'string', value: 'TEXT', about: 'What it is for.' },
    category: { type: 'string', value: 'WORD', about: 'Such as productivity (default: other).' },
    'environment-stdin': { type: 'boolean', about: 'Read variables NAME=VALUE from standard input, one a line.' },
    default: { type: 'boolean', about: 'For tasks that name no connectors, too.' },
    ...accountOption,
  },
  examples: [
    ['connector add-command "node /opt/library/node_modules/.bin/mcp-server-memory" --name Memory --folder /srv/mcp', 'from npm'],
  ],
  async run(shell, { options, args }) {
    const { description, category, default: isDefault, folder } = options;
    const lines = options['environment-stdin']
      ? (await text(shell.stdin)).split(/\r?\n/).filter((line) => line.trim() !== '')
      : [];
    const input = {
      ...{ name: requireOption(options, 'name'), command: args.COMMAND, description, category, enabled_by_default: isDefault },
      folder: folder === undefined ? undefined : resolve(folder),
      environment: lines.length === 0 ? undefined : Object.fromEntries(lines.map(readVariable)),
    };
    return withConnection(shell, { account: options.account }, async (connection) => {
      const created = await connection.call('connector.createCommand', input);
      if (options.json) printJson(shell, created);
      else {
        printText(shell, created.connector.id);
        printNote(shell, terminalLine(`tools: ${created.connector.tools.join(', ') || 'none'}`, 500));
      }
      return exitCode.done;
    });
  },
});
