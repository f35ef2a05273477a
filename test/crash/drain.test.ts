import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun, type CrashRun, timeLimit } from '../support/process/crash-run.ts';
import { Deployment } from '../support/service/deployment.ts';
import { type ModelServer, type Rule, startModelServer } from '../support/models/model-server.ts';
import { eventually, isEnd, type ServiceAnswer, type ServiceClient } from '../support/service/service-client.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';

/** The promise of SIGTERM. */
const drainMs = timeLimit(15_000);
/** Stands for a step that cannot end before the service goes. */
const endless: Rule = {
  match: 'endless',
  order: 'call',
  repeatsLast: true,
  steps: [{ text: Array.from({ length: 3000 }, () => 'word '), frameDelayMs: 20 }, { text: 'Later.' }],
};
const moment: Rule = { match: 'moment', steps: [{ text: ['one ', 'two ', 'three ', 'four'], frameDelayMs: 250 }] };

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

/** As a client with retries does it: a broken connection or a 503 means to ask again, with the same key. */
async function insist(client: ServiceClient, token: string, end: AbortSignal): Promise<ServiceAnswer> {
  for (;;) {
    const answer = await client.call('task.create', { message: { content: `quick ${token}` } }, token).catch(() => null);
    if (answer && answer.status !== 503) return answer;
    await pause(systemClock, 20, end);
  }
}

/** Creates tasks one after another until the end; everything it was answered. */
async function keepCreating(client: ServiceClient, name: string, end: AbortSignal): Promise<ServiceAnswer[]> {
  const answers: ServiceAnswer[] = [];
  while (!end.aborted) answers.push(await insist(client, `${name}-${answers.length}`, end));
  return answers;
}

async function waitForIdle(deployment: Deployment): Promise<void> {
  await eventually('all tasks rest', async () => {
    const rows = await deployment.query("SELECT id FROM tasks WHERE status = 'running'");
    return rows.length === 0 ? true : null;
  });
}

async function restartUnderLoad(deployment: Deployment, run: CrashRun): Promise<ServiceAnswer[]> {
  const { client, api } = deployment;
  const end = new AbortController();
  const clients = Array.from({ length: 4 }, (_, index) => keepCreating(client, `c${index}`, end.signal));
  let slowestMs = 0;
  for (let round = 0; round < run.rounds; round += 1) {
    const underWay = await client.createTask('moment');
    await model.waitFor({ state: 'started', match: 'moment', count: round + 1 });
    await pause(systemClock, run.chance.integer(0, 300));
    const askedAt = systemClock.monotonic();
    expect(await api.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    slowestMs = Math.max(slowestMs, systemClock.monotonic() - askedAt);
    const [row] = await deployment.query("SELECT count(*) AS held FROM tasks WHERE lease_owner <> 'leaving'");
    expect(row?.held).toBe(0);
    await api.restart();
    await client.follow(underWay, isEnd);
  }
  end.abort();
  run.measure({ slowestDrainMs: Math.round(slowestMs) });
  expect(slowestMs).toBeLessThanOrEqual(drainMs);
  return (await Promise.all(clients)).flat();
}

describe('SIGTERM', () => {
  it('loses no request of a client that retries, and lets steps in progress finish', { timeout: 900_000 }, async () => {
    const run = beginRun('drain under load', { gate: 2, night: 60 });
    await model.reset();
    await model.script([moment]);
    await using deployment = await Deployment.start('sqlite', { model });
    const answers = await restartUnderLoad(deployment, run);
    await waitForIdle(deployment);
    run.measure({ requests: answers.length });
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
    const tasks = await readTasks(deployment);
    expect(new Set(answers.map(({ body }) => body.task_id)).size).toBe(answers.length);
    expect(tasks).toHaveLength(answers.length + run.rounds);
    expect(tasks.flatMap(auditTask)).toEqual([]);
    // Each step under way was let end: its model was asked once.
    expect((await model.calls()).filter(({ body }) => JSON.stringify(body).includes('moment'))).toHaveLength(run.rounds);
  });

  it('hands a step that does not end to another worker at once, long before its lease expires', async () => {
    const run = beginRun('drain to another worker', { gate: 1, night: 10 });
    await using deployment = await Deployment.start('api and two workers', { model, env: { ERRAND_LEASE_TTL_MS: '600000' } });
    const { client, twoWorkers } = deployment;
    let [leaving, staying] = twoWorkers;
    for (let round = 0; round < run.rounds; round += 1) {
      await staying.kill();
      await model.reset();
      await model.script([endless]);
      const taskId = await client.createTask('endless');
      await model.waitFor({ state: 'started', match: 'endless' });
      await staying.restart();
      const askedAt = systemClock.monotonic();
      expect(await leaving.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(systemClock.monotonic() - askedAt).toBeLessThanOrEqual(drainMs);
      const events = await client.follow(taskId, isEnd);
      expect(events.at(-2)).toMatchObject({ assistant_message: { content: 'Later.' } });
      await leaving.restart();
      [leaving, staying] = [staying, leaving];
    }
    const [row] = await deployment.query('SELECT max(crashes) AS crashes FROM tasks');
    expect(row?.crashes).toBe(0);
  });

  it('a second time ends the service immediately; the next start resumes the work in progress', async () => {
    beginRun('second SIGTERM', { gate: 1, night: 1 });
    await model.reset();
    await model.script([endless]);
    await using deployment = await Deployment.start('sqlite', { model, env: { ERRAND_LOG: 'info' } });
    const { client, api } = deployment;
    const taskId = await client.createTask('endless');
    await model.waitFor({ state: 'started', match: 'endless' });
    const stopping = api.waitForLog(({ msg }) => String(msg).startsWith('stopping'));
    const ended = api.kill('SIGTERM');
    await stopping;
    void api.kill('SIGTERM');
    expect(await ended).toEqual({ code: 143, signal: null });
    // Not let end, and not waited for: the reply was cut.
    const [call] = await model.waitFor({ state: 'closed', match: 'endless' });
    expect(call?.outcome).toBe('aborted');
    await api.restart();
    expect((await client.follow(taskId, isEnd)).at(-2)).toMatchObject({ assistant_message: { content: 'Later.' } });
    expect((await readTasks(deployment)).flatMap(auditTask)).toEqual([]);
  });
});
