import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { formatTable, formatTime, reportRows } from '../../output/print.ts';
import { defineRequest } from '../request-command.ts';
import { describeKey, modelOptions, profileArgument, readChange, reportTests } from './model.ts';

interface ModelKey {
  profile: string;
  models: string[];
  base_url: string | null;
  has_api_key: boolean;
  api_key_tail: string | null;
  problem: string | null;
}

const list = defineRequest('model-key list', 'model.listKeys', {
  summary: 'List the models that tasks of an account use with keys of its own.',
  examples: [['model-key list', 'keys are never shown, only their ends']],
  input: () => ({}),
  report: reportRows<ModelKey>('no model keys: tasks use the models of the service', {
    PROFILE: ({ profile }) => profile,
    KEY: describeKey,
    MODELS: ({ models, base_url: url, problem }) => {
      const at = url === null ? '' : ` at ${url}`;
      return cleanLine(`${models.join(', ')}${at}${problem === null ? '' : ` (${problem})`}`, 300);
    },
  }),
});

const set = defineRequest('model-key set', 'model.setKey', {
  summary: 'Use a key of your own for the models of a profile, from the next call on.',
  details:
    'What is not given stays as it is. Such calls cost no credits, and the models of the service never replace them. The key is stored encrypted; it stays only with its provider and base URL.',
  args: profileArgument,
  options: modelOptions,
  examples: [
    ['model-key set service-1.6 --models anthropic/claude-sonnet-5 --api-key-stdin < key.txt', 'for all profiles without others'],
  ],
  input: readChange,
  report: ({ model_key: key }) => {
    const { profile, models, problem, changed_at: changedAt } = key;
    const rows = {
      profile,
      models: models.join(', '),
      key: describeKey(key),
      changed: formatTime(changedAt),
      ...(problem !== null && { problem }),
    };
    return { text: formatTable(Object.entries(rows).map(([name, value]) => [name, cleanLine(value, 300)])) };
  },
});

const test = defineRequest('model-key test', 'model.testKey', {
  summary: 'Ask each model of a profile one short question with the key of the account, and print how it went.',
  details: 'With options, it tests what model-key set with these would set, and stores nothing.',
  args: profileArgument,
  options: modelOptions,
  examples: [['model-key test service-1.6', 'whether the stored key still works']],
  input: readChange,
  report: reportTests,
});

const remove = defineRequest('model-key delete', 'model.deleteKey', {
  summary: 'Delete the key of the account for a profile, so that its tasks use the models of the service again.',
  args: profileArgument,
  examples: [['model-key delete service-1.6', 'from the next call on']],
  input: ({ args: { PROFILE: profile } }) => ({ profile }),
  report: ({ profile }) => ({ text: `deleted the key for ${cleanLine(profile, 40)}` }),
});

/** `errand model-key …` */
export const modelKeyCommands = [list, set, test, remove];
