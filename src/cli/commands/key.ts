import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { columns, formatTime, reportRows } from '../output/print.ts';
import { defineRequest, reportDone } from './request-command.ts';

const create = defineRequest('key create', 'key.create', {
  summary: 'Create an API key and print it once.',
  options: { name: { type: 'string', value: 'NAME', about: 'Name of the key (default: command line).' } },
  examples: [['key create --name ci', 'prints the key; the service keeps only its digest']],
  input: ({ options: { name = 'command line' } }) => ({ name }),
  report: ({ api_key, key }) => ({ text: api_key, notes: [`key ${key.id} "${cleanLine(key.name)}"; it is shown only once`] }),
});

const list = defineRequest('key list', 'key.list', {
  summary: 'List the API keys of an account.',
  examples: [['key list --account you@example.com', 'the keys of one account']],
  report: reportRows('no keys', {
    ...columns.id,
    KEY: ({ tail }) => `…${tail}`,
    ...columns.created,
    'LAST USED': ({ last_used_at }) => formatTime(last_used_at),
    NAME: ({ name }) => cleanLine(name, 80),
  }),
});

const revoke = defineRequest('key revoke', 'key.revoke', {
  summary: 'Revoke an API key permanently.',
  args: { KEY_ID: 'Key ID, as shown by key list.' },
  examples: [['key revoke 0Ab…', 'the service rejects the key from now on']],
  report: reportDone('revoked'),
});

/** `errand key …` */
export const keyCommands = [create, list, revoke];
