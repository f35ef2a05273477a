import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import { readKey } from '../../input/standard-input.ts';
import { formatTable, formatTime, reportRows } from '../../output/print.ts';
import type { Shell } from '../../shell.ts';
import { defineRequest } from '../request-command.ts';

export const profileArgument = { PROFILE: 'service-1.6, service-1.6-lite or service-1.6-max.' };

export const modelOptions = {
  models: { type: 'string', value: 'MODELS', about: 'provider/model; further ones, after commas, replace it while it is away.' },
  'base-url': { type: 'string', value: 'URL', about: "Base URL of the provider's API; required for compatible." },
  'api-key-stdin': { type: 'boolean', about: "Read the provider's API key from standard input." },
} as const;

interface Given {
  args: { PROFILE: string };
  options: { models?: string | undefined; 'base-url'?: string | undefined; 'api-key-stdin'?: true | undefined };
}

/** What the options of a command name. */
export async function readChange({ args, options }: Given, shell: Shell) {
  const api_key = options['api-key-stdin'] ? await readKey(shell) : undefined;
  return { profile: args.PROFILE, models: options.models, base_url: options['base-url'], api_key };
}

interface Models {
  profile: string;
  source: string;
  models: string[];
  base_url: string | null;
  has_api_key: boolean;
  api_key_tail: string | null;
  problem: string | null;
}

export function describeKey({ has_api_key: hasKey, api_key_tail: tail }: Pick<Models, 'has_api_key' | 'api_key_tail'>): string {
  if (!hasKey) return '-';
  return tail === null ? 'set' : `…${cleanLine(tail, 8)}`;
}

const reportModels = reportRows<Models>('no profiles', {
  PROFILE: ({ profile }) => profile,
  SOURCE: ({ source }) => source,
  KEY: describeKey,
  MODELS: ({ models, base_url: url, problem }) => {
    const at = url === null ? '' : ` at ${url}`;
    return cleanLine(`${models.join(', ')}${at}${problem === null ? '' : ` (${problem})`}`, 300);
  },
});

export const reportTests = reportRows<{ model: string; ok: boolean; latency_ms: number; error: string | null }>('no models', {
  MODEL: ({ model }) => cleanLine(model, 80),
  RESULT: ({ ok, latency_ms: ms, error }) => (ok ? `answered in ${ms} ms` : cleanLine(error ?? 'failed', 400)),
});

const list = defineRequest('model list', 'instance.listModels', {
  summary: 'List the models of each profile, and where they are set.',
  examples: [['model list', 'what the environment sets wins over what is set in the service']],
  isForInstance: true,
  input: () => ({}),
  report: reportModels,
});

const set = defineRequest('model set', 'instance.setModel', {
  summary: 'Set the models of a profile, for all processes and without a restart.',
  details:
    'What is not given stays as it is. The key is stored encrypted; it stays only with its provider and base URL, so a change of either needs it again.',
  args: profileArgument,
  options: {
    ...modelOptions,
    reset: { type: 'boolean', about: 'Remove what is set, with the key.' },
  },
  examples: [
    ['model set service-1.6 --models anthropic/claude-sonnet-5 --api-key-stdin < key.txt', 'connects a provider'],
    ['model set service-1.6 --reset', 'as before anything was set'],
  ],
  isForInstance: true,
  async input(given, shell) {
    const { reset, ...others } = given.options;
    const { PROFILE: profile } = given.args;
    if (!reset) return readChange({ args: given.args, options: others }, shell);
    if (Object.keys(modelOptions).some((name) => others[name as keyof typeof modelOptions] !== undefined)) {
      throw new UsageFault('--reset cannot be combined with other options');
    }
    return { profile, models: null };
  },
  report: ({ model }) => {
    const { profile, models, source, problem, changed_at: changedAt } = model;
    const rows = {
      profile,
      models: models.join(', '),
      source,
      key: describeKey(model),
      changed: changedAt === null ? '-' : formatTime(changedAt),
      ...(problem !== null && { problem }),
    };
    return { text: formatTable(Object.entries(rows).map(([name, value]) => [name, cleanLine(value, 300)])) };
  },
});

const test = defineRequest('model test', 'instance.testModel', {
  summary: 'Ask each model of a profile one short question, and print how it went.',
  details: 'With options, it tests what model set with these would set, and stores nothing.',
  args: profileArgument,
  options: modelOptions,
  examples: [['model test service-1.6', 'the models that tasks use now']],
  isForInstance: true,
  input: readChange,
  report: reportTests,
});

/** `errand model …` */
export const modelCommands = [list, set, test];
