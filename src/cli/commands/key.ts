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

/** Whether a command is about keys of the instance; it is about those of an account otherwise. */
function readOwner({ instance, account }: { instance?: true; account?: string }): boolean {
  if (instance && account !== undefined) throw new UsageFault('--instance cannot be combined with --account');
  return instance ?? false;
}

const scopes = ['everything', 'tasks', 'read_only'] as const;

/** Seconds since the epoch of `--expires`: a date, or in how many days. */
function readExpiry(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const ms = days === undefined ? Date.parse(text) : nowMs + Number(days) * 24 * 60 * 60 * 1000;
  if (Number.isNaN(ms)) throw new UsageFault('--expires takes days such as 90d, or a date such as 2027-12-31');
  return Math.floor(ms / 1000);
}

const create = defineCommand({
  name: 'key create',
  summary: 'Create an API key and print it once.',
  options: {
    name: { type: 'string', value: 'NAME', about: 'Name of the key (default: command line).' },
    scope: { type: 'string', choices: scopes, about: 'What the key may do (default: everything).' },
    expires: { type: 'string', value: 'WHEN', about: 'When it ends: 90d, or 2027-12-31 (default: never).' },
    ...whose,
  },
  examples: [
    ['key create --name ci', 'prints the key; the service keeps only its digest'],
    ['key create --name dashboard --scope read_only --expires 90d', 'a key that reads, for 90 days'],
    ['key create --instance --name reseller', 'a key for the operations instance.*'],
  ],
  run(shell, { options }) {
    const isOfInstance = readOwner(options);
    const { account, name = 'command line', json, scope, expires } = options;
    if (isOfInstance && (scope ?? expires) !== undefined)
      throw new UsageFault('--instance cannot be combined with --scope or --expires');
    const limits = { scope, expires_at: readExpiry(expires, shell.clock.now()) };
    return withConnection(shell, { account }, async (connection) => {
      const result = await (isOfInstance
        ? connection.call('operator.createKey', { name })
        : connection.call('key.create', { name, ...limits }));
      const { api_key, key } = result;
      const notes = [`key ${key.id} "${cleanLine(key.name)}"; it is shown only once`];
      return printReport(shell, json, { json: result, text: api_key, notes });
    });
  },
});

interface ListedKey {
  id: string;
  name: string;
  tail: string;
  created_at: number;
  last_used_at: number | null;
}

const keyColumns = {
  ...columns.id,
  KEY: ({ tail }: ListedKey) => `…${tail}`,
  ...columns.created,
  'LAST USED': ({ last_used_at }: ListedKey) => formatTime(last_used_at),
};
const nameColumn = { NAME: ({ name }: ListedKey) => cleanLine(name, 80) };

const reportInstanceKeys = reportRows<ListedKey>('no keys', { ...keyColumns, ...nameColumn });
const reportKeys = reportRows<ListedKey & { scope: string; expires_at: number | null }>('no keys', {
  ...keyColumns,
  SCOPE: ({ scope }) => scope,
  EXPIRES: ({ expires_at }) => formatTime(expires_at),
  ...nameColumn,
});

const list = defineCommand({
  name: 'key list',
  summary: 'List the API keys of an account.',
  options: whose,
  examples: [['key list --account you@example.com', 'the keys of one account']],
  run(shell, { options }) {
    const isOfInstance = readOwner(options);
    return withConnection(shell, { account: options.account }, async (connection) => {
      if (isOfInstance) {
        const result = await connection.call('operator.listKeys');
        return printReport(shell, options.json, { json: result, ...reportInstanceKeys(result) });
      }
      const result = await connection.call('key.list');
      return printReport(shell, options.json, { json: result, ...reportKeys(result) });
    });
  },
});

const revoke = defineCommand({
  name: 'key revoke',
  summary: 'Revoke an API key permanently.',
  args: { KEY_ID: 'Key ID, as shown by key list.' },
  options: whose,
  looksEverywhere: true,
  details: 'Without --account, the key may be of any account of the instance.',
  examples: [['key revoke 0Ab…', 'the service rejects the key from now on']],
  run(shell, { options, args }) {
    const isOfAny = options.account === undefined && shell.config.serviceUrl === null;
    const operation = readOwner(options) ? 'operator.revokeKey' : isOfAny ? 'instance.revokeKey' : 'key.revoke';
    return withConnection(shell, { account: options.account }, async (connection) => {
      const result = await connection.call(operation, { key_id: args.KEY_ID });
      return printReport(shell, options.json, { json: result, text: `revoked ${args.KEY_ID}` });
    });
  },
});

/** `errand key …` */
export const keyCommands = [create, list, revoke];
