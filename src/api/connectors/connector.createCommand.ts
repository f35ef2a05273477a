import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { newUuid } from '@errand/base/ids.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { createConnector } from '../../store/connectors/connectors.ts';
import { readConnectorName } from './connector.create.ts';
import { connectorObject, presentConnector } from './connector-object.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

const mostVariables = 50;

function readEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(environment);
  const isRight = ([name, value]: [string, string]) =>
    /^[A-Za-z_][A-Za-z0-9_]{0,100}$/.test(name) && value.length <= 4096 && !value.includes('\0');
  if (entries.length > mostVariables || !entries.every(isRight)) {
    throw invalidField('environment', `must have at most ${mostVariables} variables with names that a shell knows`);
  }
  return Object.fromEntries(entries);
}

export const connectorCreateCommand = defineOperation('POST', 'connector.createCommand', {
  summary: 'Connects an MCP server that runs as a command on this machine (stdio).',
  details: [
    'It runs in the sandbox with the folder mounted read-only at /opt/library, a private folder at /workspace,',
    'and the network access that ERRAND_SANDBOX_EGRESS allows. It starts on demand; its tools are loaded immediately.',
    'Its environment is stored encrypted and never shown again.',
  ].join(' '),
  access: 'operator',
  request: z.object({
    name: requiredText('At most 100 characters.'),
    command: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .meta({ description: 'A shell command line, such as `node /opt/library/index.js`.' }),
    folder: optional(z.string()).meta({ description: "Absolute path of the program's folder." }),
    environment: optional(z.record(z.string(), z.string())),
    description: optional(z.string().max(1000)),
    category: optional(z.string().max(50)).meta({ description: 'Default: `other`.' }),
    enabled_by_default: optional(z.boolean()),
  }),
  response: z.object({ connector: connectorObject }),
  async handle(input, { principal, now, outwardSignal: signal, write, connectors }) {
    const name = readConnectorName(input.name);
    const { folder = null } = input;
    if (folder !== null && !isAbsolute(folder)) throw invalidField('folder', 'must be an absolute path');
    const env = readEnvironment(input.environment ?? {});
    const key = { accountId: principal.accountId, connectorId: newUuid() };
    const command = { line: input.command, folder };
    const headers = connectors.seal(env, key);
    const found = await connectors.tryCommand(key, command, env, signal);
    if ('problem' in found) throw invalidField('command', `the server cannot be used: ${found.problem}`);
    const connector = await write(createConnector, {
      ...{ ...key, name, url: 'stdio:', headers, command, now, tools: found.tools, signIn: null, problem: null },
      description: toOneLine(input.description ?? ''),
      category: toOneLine(input.category ?? '') || 'other',
      isDefault: input.enabled_by_default ?? false,
    });
    return { connector: presentConnector(connector, now) };
  },
});
