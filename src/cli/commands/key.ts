import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { accountOption } from '../input/options.ts';
import { columns, formatTime, printReport, reportRows } from '../output/print.ts';
import { withConnection } from '../transport/connect.ts';
import { UsageFault } from '../exit-code.ts';
import { defineCommand } from './command.ts';

const whose = {
  instance: { type: 'boolean', about: 'A key that administers the instance in place of one of an account.' },
  ...accountOption,
} as const satisfies OptionTable;

/** Whose key a command is about. */
function readOwner({ instance, account }: { instance?: true; account?: string }): boolean {
  if (instance && account !== undefined) throw new UsageFault('--instance cannot be combined with --account');
  return instance ?? false;
}

const create = defineCommand({
  name: 'key create',
  summary: 'Create an API key and print it once.',
  options: { name: { type: 'string', value: 'NAME', about: 'Name of the key (default: command line).' }, ...whose },
  examples: [
    ['key create --name ci', 'prints the key; the service keeps only its digest'],
    ['key create --instance --name reseller', 'a key for the operations instance.*'],
  ],
  run(shell, { options }) {
    const operation = readOwner(options) ? 'operator.createKey' : 'key.create';
    const { account, name = 'command line', json } = options;
    return withConnection(shell, { account }, async (connection) => {
      const result = await connection.call(operation, { name });
      const { api_key, key } = result;
      const notes = [`key ${key.id} "${cleanLine(key.name)}"; it is shown only once`];
      return printReport(shell, json, { json: result, text: api_key, notes });
    });
  },
});

const reportKeys = reportRows<{ id: string; name: string; tail: string; created_at: number; last_used_at: number | null }>(
  'no keys',
  {
    ...columns.id,
    KEY: ({ tail }) => `…${tail}`,
    ...columns.created,
    'LAST USED': ({ last_used_at }) => formatTime(last_used_at),
    NAME: ({ name }) => cleanLine(name, 80),
  },
);

const list = defineCommand({
  name: 'key list',
  summary: 'List the API keys of an account.',
  options: whose,
  examples: [['key list --account you@example.com', 'the keys of one account']],
  run(shell, { options }) {
    const operation = readOwner(options) ? 'operator.listKeys' : 'key.list';
    return withConnection(shell, { account: options.account }, async (connection) => {
      const result = await connection.call(operation);
      return printReport(shell, options.json, { json: result, ...reportKeys(result) });
    });
  },
});

const revoke = defineCommand({
  name: 'key revoke',
  summary: 'Revoke an API key permanently.',
  args: { KEY_ID: 'Key ID, as shown by key list.' },
  options: whose,
  examples: [['key revoke 0Ab…', 'the service rejects the key from now on']],
  run(shell, { options, args }) {
    const operation = readOwner(options) ? 'operator.revokeKey' : 'key.revoke';
    return withConnection(shell, { account: options.account }, async (connection) => {
      const result = await connection.call(operation, { key_id: args.KEY_ID });
      return printReport(shell, options.json, { json: result, text: `revoked ${args.KEY_ID}` });
    });
  },
});

/** `errand key …` */
export const keyCommands = [create, list, revoke];
