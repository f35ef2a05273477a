import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs, promisify } from 'node:util';
import { pause, systemClock } from '@errand/base/clock.ts';
import { Chance } from '../support/base/chance.ts';
import { ServiceClient } from '../support/service/service-client.ts';
import { ChaosCluster, type ChaosDatabase } from './chaos-cluster.ts';
import { checkAll } from './checker.ts';
import { troubleDatabase, troubleDisk, troubleNode } from './faults.ts';
import { TaskStream } from './task-stream.ts';

const usage = `npm run chaos -- [options]

Runs several processes of the service on one database, breaks them at random while tasks are created, and checks at the end
over the API that nothing is lost or doubled.

  --minutes N        how long, 5 by default
  --seed N           repeats the faults and tasks of a run; their timing is never quite the same
  --database embedded|postgres     postgres by default; the embedded one has one process
  --processes N      3 by default
  --rate N           tasks per minute, 30 by default`;

interface ChaosArguments {
  minutes: number;
  seed: number;
  database: ChaosDatabase;
  processes: number;
  rate: number;
}

const settleMinutes = 5;
const pollMs = 500;

function readChaosArguments(args: readonly string[]): ChaosArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      database: { type: 'string', default: 'postgres' },
      processes: { type: 'string', default: '3' },
      rate: { type: 'string', default: '30' },
    },
  });
  const { database } = values;
  if (database !== 'embedded' && database !== 'postgres') throw new Error('--database must be embedded or postgres');
  const [minutes, seed, processes, rate] = [values.minutes, values.seed, values.processes, values.rate].map(Number);
  if (!minutes || !processes || !rate || seed === undefined || !(minutes > 0 && processes > 0 && rate > 0 && seed >= 0)) {
    throw new Error('numbers must be above 0');
  }
  return { minutes, seed, database, processes, rate };
}

/** Resolves when no task runs and as many ends have been reported as turns were asked for, or after minutes in vain. */
async function waitUntilSettled(cluster: ChaosCluster, client: ServiceClient, stream: TaskStream): Promise<void> {
  const turns = stream.tasks.reduce((sum, { messages }) => sum + messages.length, 0);
  const startedMs = performance.now();
  while (performance.now() - startedMs < settleMinutes * 60_000) {
    const statuses = await client.listStatuses();
    const reports = new Set(cluster.received.map(({ event }) => event.event_id)).size;
    if (![...statuses.values()].includes('running') && reports >= turns + stream.tasks.length) return;
    await pause(systemClock, pollMs);
  }
}

async function trouble(cluster: ChaosCluster, chance: Chance, minutes: number): Promise<Map<string, number>> {
  const startedMs = performance.now();
  const counts = new Map<string, number>();
  const note = (text: string) => {
    const kind = text.replace(/^service \d+/, 'service').replaceAll(/-?\d+/g, 'n');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${text}`);
  };
  const end = AbortSignal.timeout(minutes * 60_000);
  await Promise.all([
    ...cluster.nodes.map((node) => troubleNode(node, chance.fork(), end, note)),
    ...(cluster.disk.canBeFull ? [troubleDisk(cluster.disk, chance.fork(), end, note)] : []),
    ...(cluster.server ? [troubleDatabase(cluster.server, chance.fork(), end, note)] : []),
  ]);
  return counts;
}

/** One run; true if nothing was lost or doubled. */
async function runChaos({ minutes, seed, database, processes, rate }: ChaosArguments): Promise<boolean> {
  await promisify(execFile)(process.execPath, ['scripts/build-service.mjs', '--if-stale']);
  const chance = new Chance(seed);
  const cluster = await ChaosCluster.start({ database, processes });
  try {
    if (!cluster.disk.canBeFull) console.log('the disk is never full: filling it needs root and mount namespaces');
    const stream = new TaskStream({ chance: chance.fork(), apiKey: cluster.apiKey, urls: cluster.urls, perMinute: rate });
    const streaming = stream.run();
    const counts = await trouble(cluster, chance, minutes);
    console.log('no more faults; everything has to end');
    await stream.end();
    await streaming;
    const client = new ServiceClient({ url: cluster.urls[0], apiKey: cluster.apiKey });
    await waitUntilSettled(cluster, client, stream);
    const { problems, failedTurns, turns } = await checkAll(client, stream.tasks, cluster.received);
    const all = [...stream.surprises, ...problems];
    const faults = counts.values().reduce((sum, count) => sum + count, 0);
    const internal = cluster.listErrors();
    for (const problem of all) console.log(`PROBLEM  ${problem}`);
    for (const line of internal.slice(0, 10)) console.log(`LOG  ${line.slice(0, 500)}`);
    console.log(
      `${all.length === 0 ? 'PASSED' : 'FAILED'}  seed ${seed}, ${database}: ${faults} faults, ${stream.tasks.length} tasks with ${turns} turns, ` +
        `${stream.unansweredCount} of ${stream.requestCount} requests without an answer, ${cluster.received.length} webhook messages, ` +
        `${failedTurns} turns ended with worker_failed, ${internal.length} errors logged, ${all.length} problems`,
    );
    return all.length === 0;
  } finally {
    await cluster.stop();
  }
}

/** Runs this program again where its mounts end with it; null where the system does not let it. */
async function runInOwnNamespace(): Promise<number | null> {
  const flags = ['--mount', '--propagation', 'private'];
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync('unshare', [...flags, 'true']).status !== 0)
    return null;
  const child = spawn('unshare', [...flags, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, CHAOS_MOUNTS: 'own' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function main(): Promise<number> {
  let args: ChaosArguments;
  try {
    args = readChaosArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return 64;
  }
  const code = process.env['CHAOS_MOUNTS'] === undefined ? await runInOwnNamespace() : null;
  if (code !== null) return code;
  console.log(`seed ${args.seed}`);
  return (await runChaos(args)) ? 0 : 1;
}

process.exitCode = await main();
