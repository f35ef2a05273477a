import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import type { Chance } from '../support/base/chance.ts';
import { beginRun, type CrashRun, isNightly } from '../support/process/crash-run.ts';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { eventually, isEnd, statusIn } from '../support/service/service-client.ts';
import type { ServiceProcess } from '../support/service/supervisor.ts';
import { auditApiViews, auditTask, readTasks, type StoredTask } from '../support/tasks/task-audit.ts';
import { Crowd } from './crowd.ts';
import { auditHistory } from './history-audit.ts';
import { SideEffects } from './side-effects.ts';
import type { WorkHistory } from './work-history.ts';
import { auditWebhooks, receiverEnv, registerReceiver } from './webhook-audit.ts';
import { workScript } from './work-script.ts';

const clientCount = 8;
const readersPerTask = 3;
/** Short, so that a killed worker's tasks resume within the run; long enough for a busy machine. */
const leaseTtlMs = '3000';
/** What clients do while workers start again: enough to find work waiting, not thousands of tasks on a fast machine. */
const actsWithoutWorker = 40;

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

function chooseVictims({ api, workers }: Deployment, chance: Chance): ServiceProcess[] {
  const [first, second] = workers;
  if (!first || !second) return [api];
  return chance.pick([[api], [first], [second], [first, second], [api, first, second]]);
}

/** Kills in the middle of work, sometimes once more while the process starts again. */
async function killOnce(deployment: Deployment, { chance, note }: CrashRun, history: WorkHistory): Promise<void> {
  const acks = chance.integer(1, 30);
  await history.waitForMore(acks);
  await pause(systemClock, chance.integer(0, 60));
  const victims = chooseVictims(deployment, chance);
  if (victims.includes(deployment.api)) history.setUp(false);
  else history.restAfter(actsWithoutWorker);
  await Promise.all(victims.map((victim) => victim.kill()));
  const isKilledTwice = chance.happens(0.2);
  note({ killed: victims.map(({ pid }) => pid), acks, isKilledTwice });
  if (isKilledTwice) {
    const starting = Promise.allSettled(victims.map((victim) => victim.restart()));
    await pause(systemClock, chance.integer(0, 600));
    await Promise.all(victims.map((victim) => victim.kill()));
    await starting;
  }
  await Promise.all(victims.map((victim) => victim.restart()));
  history.setUp(true);
}

/** Resolves when no task is running. */
async function waitForIdle(deployment: Deployment): Promise<void> {
  await eventually('all tasks rest', async () => {
    const [row] = await deployment.query("SELECT count(*) AS open FROM tasks WHERE status = 'running'");
    return Number(row?.open) === 0 ? true : null;
  });
}

/** No task is blamed for the deaths of its workers: all of them were killed from outside. */
function auditErrors(tasks: readonly StoredTask[]): string[] {
  return tasks.flatMap(({ id, log }) =>
    log.flatMap(({ event }) => (event.type === 'error' ? [`task ${id}: ${event.errorType}: ${event.text}`] : [])),
  );
}

/** With nobody killing any more, every kind of task goes through as if nothing had happened. */
async function auditTail({ client }: Deployment): Promise<string[]> {
  const problems: string[] = [];
  for (const content of ['quick tail', 'slow tail', 'work tail']) {
    const events = await client.follow(await client.createTask(content), isEnd);
    const isDone = events.map(statusIn).at(-1) === 'stopped' && events.some(({ type }) => type === 'assistant_message');
    if (!isDone) problems.push(`${content}: ${JSON.stringify(events)}`);
  }
  return problems;
}

/** Lets clients work while processes are killed; everything that is not as it should be afterwards. */
async function surviveKills(deployment: Deployment, run: CrashRun, receiver: Receiver): Promise<string[]> {
  const { client } = deployment;
  const effects = new SideEffects(deployment);
  const isReported = deployment.shape === 'sqlite' || isNightly;
  if (isReported) await registerReceiver(deployment, receiver);
  await using crowd = await Crowd.start({ client, chance: run.chance.fork(), clients: clientCount, readersPerTask });
  const { history } = crowd;
  for (let round = 0; round < run.rounds; round += 1) {
    await killOnce(deployment, run, history);
    await effects.look();
  }
  await crowd.endWork();
  await waitForIdle(deployment);
  await effects.look();
  const tasks = await readTasks(deployment);
  run.measure({
    tasks: tasks.length,
    events: tasks.reduce((sum, { log }) => sum + log.length, 0),
    acknowledged: history.acknowledgedCount,
    unknown: history.acts.filter(({ outcome }) => outcome === 'unknown').length,
    recordedToolCalls: effects.count,
    connections: crowd.connections,
  });
  return [
    ...auditHistory(history, tasks),
    ...tasks.flatMap(auditTask),
    ...auditErrors(tasks),
    ...effects.problems,
    ...(await crowd.auditReaders(tasks)),
    ...(await auditApiViews(deployment, tasks)),
    ...(await auditLedger(deployment, tasks)),
    ...(isReported ? await auditWebhooks(deployment, receiver, tasks) : []),
    ...(await auditTail(deployment)),
  ];
}

const plans: { shape: Shape; gate: number; night: number }[] = [
  { shape: 'sqlite', gate: 12, night: 200 },
  { shape: 'postgres', gate: 5, night: 80 },
  { shape: 'api and two workers', gate: 8, night: 120 },
];

describe.each(plans)('killed at any moment ($shape)', ({ shape, gate, night }) => {
  it('loses nothing acknowledged, logs everything once and in order for every reader, and runs no recorded step again', {
    // Only a run that hangs takes so long: on a busy machine, 200 rounds take hours.
    timeout: isNightly ? 4 * 3_600_000 : 900_000,
  }, async () => {
    const run = beginRun(`kill rounds, ${shape}`, { gate, night });
    await model.script(workScript);
    await using deployment = await Deployment.start(shape, { model, env: { ERRAND_LEASE_TTL_MS: leaseTtlMs, ...receiverEnv } });
    await using receiver = await Receiver.start();
    expect(await surviveKills(deployment, run, receiver)).toEqual([]);
  });
});
