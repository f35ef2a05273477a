import { readFileSync } from 'node:fs';
import type { BareDatabase } from './bare-database.ts';
import { openBarePostgres } from './bare-postgres.ts';
import { openBareSqlite } from './bare-sqlite.ts';
import type { CeilingJob } from './ceiling-job.ts';
import { type Piece, planTasks, planWork, type Work } from './ceiling-work.ts';

/** Pieces per commit: one for each connection of the load. */
const batchSize = 32;
/** The number of tasks that the loads `append` and `read` cycle through. */
const taskCount = 1024;

function cut(pieces: readonly Piece[], size: number): Piece[][] {
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, at) => pieces.slice(at * size, (at + 1) * size));
}

/** Keeps as many pieces of work in progress as the database has lanes. */
async function perform(database: BareDatabase, work: Work, pieces: readonly Piece[]): Promise<void> {
  const isRead = work === 'detail' || work === 'messages';
  const turns = isRead
    ? pieces.map((piece) => () => database.read(piece))
    : cut(pieces, batchSize).map((batch) => () => database.write(batch));
  const queue = turns.values();
  const occupy = async () => {
    for (const turn of queue) await turn();
  };
  await Promise.all(Array.from({ length: database.lanes }, occupy));
}

async function measure({ kind, target, work, warmup, count }: CeilingJob): Promise<number> {
  const database = await (kind === 'embedded' ? openBareSqlite(target) : openBarePostgres(target));
  const { taskIds, pieces } = planTasks(taskCount);
  if (work !== 'create') await perform(database, 'create', pieces);
  const plan = planWork(work, warmup + count, taskIds);
  await perform(database, work, plan.slice(0, warmup));
  const startedMs = performance.now();
  await perform(database, work, plan.slice(warmup));
  const tookMs = performance.now() - startedMs;
  await database.close();
  return (count / tookMs) * 1000;
}

console.log(JSON.stringify(await measure(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CeilingJob)));
