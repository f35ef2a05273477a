import { parseArgs } from 'node:util';
import { type DatabaseKind, databaseKinds } from './report/figure.ts';
import { jobs } from './agent/index.ts';
import { measures } from './measures/index.ts';

export interface Arguments {
  names: string[];
  databases: readonly DatabaseKind[];
  /** A PostgreSQL server to use instead of one that is started for the run. */
  postgresUrl: string | null;
  isJson: boolean;
  isQuick: boolean;
  /** How many tasks `year` fills a store with; null for as many as it usually does. */
  tasks: number | null;
  wantsHelp: boolean;
  /** Whether the peers are measured, too. */
  wantsPeers: boolean;
  /** Jobs of agents to play, all of them if empty; null if figures are taken. */
  jobs: readonly string[] | null;
}

export const usage = `npm run bench -- [measure…] [options]

Measures the service and, in the same run, what it is built on. Without names, everything.

${measures.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

  peers        alone: Errand beside other products that run agents (docs/internals/comparison.md)
  agent [job…] alone: jobs of agents with scripted models, pass or fail: ${jobs.map(({ name }) => name).join(', ')}

  --database embedded|postgres   only on this one
  --postgres URL                 on this server, whose user may create databases, instead of one of its own
  --tasks N                      of the year that \`year\` measures, 365000 without it
  --quick                        tiny counts, to see that everything runs
  --json                         one JSON object on standard output, nothing else`;

function readTasks(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{2,7}$/.test(text)) throw new Error('--tasks must be a number from 100 up');
  return Number(text);
}

/** Throws an error with one sentence for whatever is not understood. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      postgres: { type: 'string' },
      tasks: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const wantsPeers = positionals.length === 1 && positionals[0] === 'peers';
  const wantedJobs = positionals[0] === 'agent' ? positionals.slice(1) : null;
  const unknownJob = wantedJobs?.find((name) => !jobs.some((job) => job.name === name));
  if (unknownJob !== undefined) throw new Error(`there is no job ${unknownJob}`);
  const unknown =
    wantsPeers || wantedJobs ? undefined : positionals.find((name) => !measures.some((measure) => measure.name === name));
  if (unknown !== undefined) throw new Error(`there is no measure ${unknown}`);
  const databases = databaseKinds.filter((kind) => values.database === undefined || values.database === kind);
  if (databases.length === 0) throw new Error(`--database must be ${databaseKinds.join(' or ')}`);
  return {
    names: positionals.length > 0 ? positionals : measures.map(({ name }) => name),
    databases,
    postgresUrl: values.postgres ?? null,
    isJson: values.json,
    isQuick: values.quick,
    tasks: readTasks(values.tasks),
    wantsHelp: values.help,
    wantsPeers,
    jobs: wantedJobs,
  };
}
