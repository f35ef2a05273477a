import { PostgresServer } from '../test/support/db/postgres-server.ts';
import { type Arguments, readArguments, usage } from './bench-arguments.ts';
import { readOrExplain } from './read-or-explain.ts';
import type { DatabaseKind, Figure } from './report/figure.ts';
import { describeRun } from './report/machine.ts';
import { measures } from './measures/index.ts';
import { runPeers } from './comparison/run-peers.ts';
import { runJobs } from './agent/run-jobs.ts';
import { renderJson, renderTable } from './report/report.ts';
import { TestBed } from './service/test-bed.ts';
import { fullSizes, quickSizes, type Sizes } from './service/sizes.ts';

function print(progress: string): void {
  console.error(progress);
}

async function takeAll(
  database: DatabaseKind,
  serverUrl: string | null,
  { names, isQuick, tasks }: Arguments,
): Promise<Figure[]> {
  const usual = isQuick ? quickSizes : fullSizes;
  const sizes: Sizes = { ...usual, ...(tasks !== null && { yearTasks: [usual.yearTasks[0], tasks] }) };
  const bed = new TestBed({ database, serverUrl, sizes });
  const figures: Figure[] = [];
  try {
    for (const measure of measures.filter(({ name }) => names.includes(name))) {
      print(`${database}: ${measure.name}`);
      const taken = (await measure.take(bed)).map((figure): Figure => ({ ...figure, database }));
      if (!isQuick) print(renderTable(taken));
      figures.push(...taken);
    }
    return figures;
  } finally {
    await bed.close();
  }
}

async function takeOn(database: DatabaseKind, args: Arguments): Promise<Figure[]> {
  if (database === 'embedded') return takeAll(database, null, args);
  if (args.postgresUrl !== null) return takeAll(database, args.postgresUrl, args);
  await using server = await PostgresServer.start();
  return await takeAll(database, server.url, args);
}

async function run(args: Arguments): Promise<void> {
  const about = describeRun();
  const figures: Figure[] = [];
  for (const database of args.databases) figures.push(...(await takeOn(database, args)));
  console.log(args.isJson ? renderJson(about, figures) : `${JSON.stringify(about)}\n\n${renderTable(figures)}`);
}

const args = readOrExplain(readArguments, usage);
if (args?.wantsHelp) console.log(usage);
else if (args?.wantsPeers) await runPeers();
else if (args?.jobs) process.exitCode = (await runJobs(args.jobs, console.log)) > 0 ? 1 : 0;
else if (args) await run(args);
