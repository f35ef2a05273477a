import { cleanText } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import type { OptionTable } from '../../input/command-shape.ts';
import { requireOption } from '../../input/options.ts';
import { readTextInput } from '../../input/text-input.ts';
import { formatTime, reportRows } from '../../output/print.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest, reportDone } from '../request-command.ts';

const placeOptions = {
  project: { type: 'string', value: 'PROJECT_ID', about: 'The memory of this project (default: of the account).' },
  agent: { type: 'string', value: 'AGENT_ID', about: 'The memory of this agent, such as agent-default.' },
} as const satisfies OptionTable;

const pathArgument = { PATH: 'Path of the file, as shown by memory list.' } as const;

/** The memory that the options name. */
function readPlace({ project, agent }: { project?: string; agent?: string }) {
  if (project !== undefined && agent !== undefined) throw new UsageFault('--project and --agent cannot be combined');
  if (project !== undefined) return { scope: 'project', id: project };
  return agent === undefined ? { scope: 'account' } : { scope: 'agent', id: agent };
}

function readVersion(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new UsageFault(`--${name} must be the number of a version`);
  return Number(value);
}

/** Unix seconds of `2026-11-23T04:30Z`, or of a number of seconds. */
function readMoment(value: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Date.parse(value) / 1000;
  if (!Number.isFinite(seconds)) throw new UsageFault('--at must be a time, such as 2026-11-23T04:30Z, or Unix seconds');
  return seconds;
}

type File = ResultOf<'memory.list'>['data'][number];

const fileColumns = {
  VERSION: ({ version }: File) => String(version),
  BYTES: ({ bytes }: File) => String(bytes),
  'CHANGED (UTC)': ({ updated_at }: File) => formatTime(updated_at),
  BY: ({ task_id, author }: File) => task_id ?? author,
  MARK: ({ is_tainted }: File) => (is_tainted ? 'tainted' : ''),
};

const list = defineRequest('memory list', 'memory.list', {
  summary: 'List the files that tasks share as memory.',
  options: placeOptions,
  examples: [
    ['memory list', 'what all tasks of the account see below /memory/account'],
    ['memory list --agent agent-default', 'what the agent has noted for itself'],
  ],
  input: ({ options }) => ({ ...readPlace(options), limit: '256' }),
  report: reportRows('no files', { ...fileColumns, PATH: ({ path }) => path }),
});

const read = defineRequest('memory read', 'memory.read', {
  summary: 'Print a file of a memory.',
  args: pathArgument,
  options: { ...placeOptions, version: { type: 'string', value: 'N', about: 'A former version (default: the current one).' } },
  examples: [['memory read people.md', 'its text']],
  input: ({ options, args }) => ({
    ...readPlace(options),
    path: args.PATH,
    version: readVersion('version', options.version)?.toString(),
  }),
  report: ({ memory }) => ({
    text: cleanText(memory.content),
    notes: memory.is_tainted ? ['Its writer had read pages of strangers.'] : [],
  }),
});

const write = defineRequest('memory write', 'memory.write', {
  summary: 'Write a file of a memory: a new version of it.',
  args: pathArgument,
  options: {
    ...placeOptions,
    file: { type: 'string', value: 'FILE', about: 'The file with the text (default: standard input).' },
    'if-version': { type: 'string', value: 'N', about: 'Only if this version is current; 0: only if there is no file.' },
    trust: { type: 'boolean', about: 'Lift the mark of text that strangers have influenced.' },
  },
  examples: [['memory write people.md < people.md', 'every later task of the account sees it']],
  input: async ({ options, args }, shell) => ({
    ...readPlace(options),
    path: args.PATH,
    if_version: readVersion('if-version', options['if-version']),
    ...(options.trust && { is_tainted: false }),
    content: await readTextInput(shell, options.file),
  }),
  report: ({ memory }) => ({ text: `wrote version ${memory.version} of ${memory.path}` }),
});

const remove = defineRequest('memory delete', 'memory.delete', {
  summary: 'Delete a file of a memory; its versions stay.',
  args: pathArgument,
  options: placeOptions,
  examples: [['memory delete people.md', 'memory restore can bring it back']],
  input: ({ options, args }) => ({ ...readPlace(options), path: args.PATH }),
  report: reportDone('deleted'),
});

const versions = defineRequest('memory versions', 'memory.versions', {
  summary: 'List the versions of a file of a memory, newest first.',
  args: pathArgument,
  options: placeOptions,
  examples: [['memory versions people.md', 'who wrote what when, in which task']],
  input: ({ options, args }) => ({ ...readPlace(options), path: args.PATH, limit: '100' }),
  report: reportRows('no versions', { ...fileColumns, WHAT: ({ is_deletion }) => (is_deletion ? 'deleted' : 'written') }),
});

const restore = defineRequest('memory restore', 'memory.restore', {
  summary: 'Make a whole memory what it was at a moment.',
  options: { ...placeOptions, at: { type: 'string', value: 'TIME', about: 'The moment: a date with time, or Unix seconds.' } },
  details: 'Every file that differs gets a new version, so a restoration can be undone by another.',
  examples: [['memory restore --at 2026-11-23T04:30Z', 'what was written since is undone']],
  input: ({ options }) => ({ ...readPlace(options), at: readMoment(requireOption(options, 'at')) }),
  report: ({ restored }) => (restored.length === 0 ? { notes: ['nothing to change'] } : { text: restored.join('\n') }),
});

/** `errand memory …` */
export const memoryCommands = [list, read, write, remove, versions, restore];
