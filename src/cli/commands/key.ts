import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { formatTime, reportList } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const create = defineRequest({
  name: 'key create',
  summary: 'Create an API key and print it once.',
  options: { name: { type: 'string', value: 'NAME', about: 'Name of the key (default: command line).' } },
  examples: [['key create --name ci', 'prints the key; the service keeps only its digest']],
  operation: 'key.create',
  input: ({ options: { name = 'command line' } }) => ({ name }),
  report: ({ api_key, key }) => ({ text: api_key, notes: [`key ${key.id} "${cleanLine(key.name)}"; it is shown only once`] }),
});

const list = defineRequest({
  name: 'key list',
  summary: 'List the API keys of an account.',
  examples: [['key list --account you@example.com', 'the keys of one account']],
  operation: 'key.list',
  report: ({ data }) =>
    reportList(data, 'no keys', {
      ID: ({ id }) => id,
      KEY: ({ tail }) => `…${tail}`,
      'CREATED (UTC)': ({ created_at }) => formatTime(created_at),
      'LAST USED': ({ last_used_at }) => formatTime(last_used_at),
      NAME: ({ name }) => cleanLine(name, 80),
    }),
});

const revoke = defineRequest({
  name: 'key revoke',
  summary: 'Revoke an API key permanently.',
  args: { KEY_ID: 'Key ID, as shown by key list.' },
  examples: [['key revoke 0Ab…', 'the service rejects the key from now on']],
  operation: 'key.revoke',
  input: ({ args }) => ({ key_id: args.KEY_ID }),
  report: (_, { args }) => ({ text: `revoked ${args.KEY_ID}` }),
});

/** `errand key …` */
export const keyCommands = [create, list, revoke];
