import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { PostgresServer } from '../../test/support/db/postgres-server.ts';
import { Chance } from '../../test/support/base/chance.ts';
import { startModelServer } from '../../test/support/models/model-server.ts';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { ServiceClient } from '../../test/support/service/service-client.ts';
import { ServiceProcess } from '../../test/support/service/supervisor.ts';
import { Receiver } from '../../test/support/webhooks/receiver.ts';
import { pause } from '../process/pause.ts';
import { readOrExplain } from '../read-or-explain.ts';
import { query } from '../process/query.ts';
import { Sampler } from './sampler.ts';
import { SoakLoad, soakScript } from './soak-load.ts';
import { SoakReport } from './soak-report.ts';

const usage = `npm run soak -- [options]

Puts a low mixed load on one service and looks every minute whether what it holds grows.

  --minutes N        how long, 60 by default
  --rate N           visits per minute, 30 by default
  --every S          seconds between two looks, 60 by default
  --database embedded|postgres
  --csv FILE         each look becomes a line of this file
  --seed N           repeats the order of visits`;

interface SoakArguments {
  minutes: number;
  rate: number;
  everySeconds: number;
  isPostgres: boolean;
  csvFile: string | null;
  seed: number;
}

function readSoakArguments(args: readonly string[]): SoakArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '30' },
      every: { type: 'string', default: '60' },
      database: { type: 'string', default: 'embedded' },
      csv: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    },
  });
  const [minutes, rate, everySeconds, seed] = [values.minutes, values.rate, values.every, values.seed].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (!(minutes > 0 && rate > 0 && everySeconds > 0 && seed >= 0)) throw new Error('numbers must be above 0');
  if (!['embedded', 'postgres'].includes(values.database)) throw new Error('--database must be embedded or postgres');
  return { minutes, rate, everySeconds, isPostgres: values.database === 'postgres', csvFile: values.csv ?? null, seed };
}

/** Runs until the time is over; true if nothing grew and no visit failed. */
async function runSoak({ minutes, rate, everySeconds, isPostgres, csvFile, seed }: SoakArguments): Promise<boolean> {
  await promisify(execFile)(process.execPath, ['scripts/build-service.mjs', '--if-stale']);
  const folder = createFolder('soak');
  const reportFile = path.join(folder, 'handles.json');
  await using server = isPostgres ? await PostgresServer.start() : null;
  const model = await startModelServer();
  await using receiver = await Receiver.start();
  await using service = await ServiceProcess.start({
    script: 'bench/launch.ts',
    env: {
      NODE_COMPILE_CACHE: '',
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'report-handles.ts')}`,
      SOAK_REPORT: reportFile,
      ERRAND_LOG: 'warn',
      ERRAND_RATE_LIMITS: 'off',
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: model.openaiUrl,
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_WEBHOOK_ALLOW_HTTP: 'true',
      ...(server && { ERRAND_DATABASE_URL: server.url }),
    },
  });
  try {
    await model.script(soakScript);
    const client = new ServiceClient(service);
    await client.ask('webhook.create', { url: receiver.url('/soak') });
    const load = new SoakLoad({ client, model, chance: new Chance(seed), perMinute: rate });
    const sizeOf = async (url: string) =>
      Number((await query(url, 'SELECT pg_database_size(current_database()) AS size'))[0]?.['size']);
    const readDatabaseBytes = server ? () => sizeOf(server.url) : null;
    const sampler = new Sampler({ pid: service.pid, dataDir: service.dataDir, reportFile, readDatabaseBytes });
    const report = new SoakReport(load, csvFile);
    const loading = load.run();
    const startedMs = performance.now();
    for (let index = 1; index * everySeconds <= minutes * 60; index++) {
      await pause(Math.max(0, startedMs + index * everySeconds * 1000 - performance.now()));
      report.add(await sampler.take((performance.now() - startedMs) / 60_000));
      await load.deleteCalls();
      receiver.messages.length = 0;
    }
    load.end();
    await loading;
    return report.conclude();
  } finally {
    await model.stop();
    removeFolder(folder);
  }
}

const args = readOrExplain(readSoakArguments, usage);
if (args) {
  console.log(`seed ${args.seed}`);
  if (!(await runSoak(args))) process.exitCode = 1;
}
