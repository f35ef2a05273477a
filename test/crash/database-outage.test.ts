import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun, type CrashRun, percentile, timeLimit } from '../support/process/crash-run.ts';
import { Deployment } from '../support/service/deployment.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { PostgresServer } from '../support/db/postgres.ts';
import { eventually, isEnd, type ServiceClient, statusIn } from '../support/service/service-client.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';
import { TcpProxy } from '../support/process/tcp-proxy.ts';
import { Crowd } from './crowd.ts';
import { auditHistory } from './history-audit.ts';
import type { WorkHistory } from './work-history.ts';
import { workScript } from './work-script.ts';

const clientCount = 4;
/** From the moment the database accepts connections again. */
const healthyMs = timeLimit(5000);
/** After which a silent database is considered unavailable. */
const silenceTimeoutMs = timeLimit(10_000);

let model: ModelServer;
let server: PostgresServer;
beforeAll(async () => {
  [model, server] = await Promise.all([startModelServer(), PostgresServer.start()]);
});
afterAll(async () => {
  await Promise.all([model.stop(), server.stop()]);
});
let deployment: Deployment;
beforeEach(async () => {
  await model.reset();
  await model.script(workScript);
});
afterEach(() => deployment.close());

async function untilHealthy(client: ServiceClient): Promise<void> {
  await eventually('the service is ready', async () => {
    const answer = await fetch(`${client.url}/readyz`);
    await answer.body?.cancel();
    return answer.status === 200 ? true : null;
  });
}

/** Breaks the database again and again under load; everything that is not as it should be afterwards. */
async function surviveOutages(run: CrashRun, breakOnce: (history: WorkHistory) => Promise<void>): Promise<string[]> {
  const { client } = deployment;
  const options = { client, chance: run.chance.fork(), clients: clientCount, readersPerTask: 1, bearsUnavailable: true };
  await using crowd = await Crowd.start(options);
  const { history } = crowd;
  for (let round = 0; round < run.rounds; round += 1) {
    await history.waitForMore(run.chance.integer(20, 100));
    await breakOnce(history);
  }
  await history.waitForMore(20);
  await crowd.endWork();
  const tasks = await eventually('all tasks rest', async () => {
    const all = await readTasks(deployment).catch(() => null);
    return all?.every(({ status }) => status !== 'running') ? all : null;
  });
  run.measure({ tasks: tasks.length, acknowledged: history.acknowledgedCount });
  const tail = await client.follow(await client.createTask('work tail'), isEnd);
  return [
    ...auditHistory(history, tasks),
    ...tasks.flatMap(auditTask),
    ...(await auditLedger(deployment, tasks)),
    ...tasks.flatMap(({ id, status }) => (status === 'error' ? [`task ${id} ended with an error`] : [])),
    ...(await crowd.auditReaders(tasks)),
    ...(statusIn(tail.at(-1)) === 'stopped' ? [] : [`tail: ${JSON.stringify(tail)}`]),
  ];
}

describe('PostgreSQL', () => {
  it('killed and restarted under load causes delays, and nothing else', { timeout: 1_800_000 }, async () => {
    const run = beginRun('database killed', { gate: 2, night: 30 });
    deployment = await Deployment.start('postgres', { model, serverUrl: server.url, env: { ERRAND_LEASE_TTL_MS: '5000' } });
    const delays: number[] = [];
    const problems = await surviveOutages(run, async () => {
      await pause(systemClock, run.chance.integer(0, 200));
      await server.kill();
      const answer = await deployment.client.call('task.list');
      expect([answer.status, answer.body]).toMatchObject([503, { ok: false, error: { code: 'unavailable' } }]);
      await server.restart();
      const upAt = systemClock.monotonic();
      await untilHealthy(deployment.client);
      delays.push(systemClock.monotonic() - upAt);
    });
    expect(problems).toEqual([]);
    run.measure({ healthyP50Ms: percentile(delays, 0.5), healthyMaxMs: Math.round(Math.max(...delays)) });
    expect(Math.max(...delays)).toBeLessThanOrEqual(healthyMs);
  });

  it('that keeps closing connections loses nothing', { timeout: 1_800_000 }, async () => {
    const run = beginRun('connections ended', { gate: 3, night: 50 });
    deployment = await Deployment.start('postgres', { model, serverUrl: server.url, env: { ERRAND_LEASE_TTL_MS: '5000' } });
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    const problems = await surviveOutages(run, async () => {
      for (let count = 0; count < 5; count += 1) {
        await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'errand'");
        await pause(systemClock, run.chance.integer(0, 150));
      }
      await untilHealthy(deployment.client);
    });
    await admin.end();
    expect(problems).toEqual([]);
  });

  it('whose responses no longer arrive is detected, and what it did nevertheless is done once', {
    timeout: 1_800_000,
  }, async () => {
    const run = beginRun('database silent', { gate: 1, night: 20 });
    const { hostname: host, port } = new URL(server.url);
    let probes = 0;
    await using proxy = await TcpProxy.start({ host, port: Number(port) });
    const route = (databaseUrl: string) => Object.assign(new URL(databaseUrl), { port: proxy.port }).href;
    deployment = await Deployment.start('postgres', { model, serverUrl: server.url, route });
    const problems = await surviveOutages(run, async (history) => {
      const silentAt = systemClock.monotonic();
      proxy.holdAnswers();
      const probe = { kind: 'create', client: clientCount + 1, token: `probe${probes++}`, taskId: null, isKeyed: false } as const;
      history.begin(probe).outcome = 'unknown';
      const { status } = await deployment.client.call('task.create', { message: { content: `quick [${probe.token}]` } });
      expect(status).toBe(503);
      expect(systemClock.monotonic() - silentAt).toBeLessThanOrEqual(silenceTimeoutMs);
      proxy.release();
      await untilHealthy(deployment.client);
    });
    expect(problems).toEqual([]);
  });
});
