import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun, type CrashRun, percentile, timeLimit } from '../support/process/crash-run.ts';
import { Deployment, LocalDeployment, type Shape } from '../support/service/deployment.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type ModelServer, type Rule, startModelServer } from '../support/models/model-server.ts';
import { eventually, isEnd, type PublicEvent, type ServiceClient, statusIn } from '../support/service/service-client.ts';
import { auditApiViews, auditTask, readTasks } from '../support/tasks/task-audit.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

const endless: Rule = { match: 'endless', steps: [{ text: Array.from({ length: 3000 }, () => 'word '), frameDelayMs: 20 }] };

function countStops(events: readonly PublicEvent[]): { byUser: number; ends: number } {
  return { byUser: events.filter(({ type }) => type === 'user_stop').length, ends: events.filter(isEnd).length };
}

async function stopTask(client: ServiceClient, taskId: string): Promise<void> {
  await client.ask('task.stop', { task_id: taskId });
}

/** Stops a task in the middle of its model's reply; the time until the model's socket is closed. */
async function stopMidReply(client: ServiceClient, token: string, delayMs: number): Promise<number> {
  const taskId = await client.createTask(`endless ${token}`);
  await model.waitFor({ state: 'started', match: token });
  await pause(systemClock, delayMs);
  const askedAtMs = Date.now();
  // Repeated, at once and afterwards: there is one stop.
  await Promise.all([stopTask(client, taskId), stopTask(client, taskId)]);
  const [call] = await model.waitFor({ state: 'closed', match: token });
  await stopTask(client, taskId);
  expect(call?.outcome).toBe('aborted');
  expect(countStops(await client.listEvents(taskId))).toEqual({ byUser: 1, ends: 1 });
  return (call?.closedAtMs ?? Number.NaN) - askedAtMs;
}

describe('a stop', () => {
  it("reaches the model's socket in another process", { timeout: 900_000 }, async () => {
    const run = beginRun('stop across processes', { gate: 10, night: 500 });
    await using deployment = await Deployment.start('api and two workers', { model });
    const { client } = deployment;
    const delays: number[] = [];
    for (let round = 0; round < run.rounds; round += 1) {
      if (round % 20 === 0) await model.reset();
      await model.script([endless]);
      delays.push(await stopMidReply(client, `s${round}-`, run.chance.integer(0, 200)));
    }
    run.measure({ stopP50Ms: percentile(delays, 0.5), stopP99Ms: percentile(delays, 0.99), stopMaxMs: Math.max(...delays) });
    expect(percentile(delays, 0.99)).toBeLessThanOrEqual(timeLimit(250));
    const tasks = await readTasks(deployment);
    expect([...tasks.flatMap(auditTask), ...(await auditLedger(deployment, tasks))]).toEqual([]);
  });

  it('of a queued task ends it before any model is called', async () => {
    const run = beginRun('stop while queued', { gate: 5, night: 50 });
    await model.reset();
    await model.script([endless]);
    await using deployment = await LocalDeployment.start('sqlite', { model, env: { ERRAND_WORKER_CONCURRENCY: '1' } });
    const { client } = deployment;
    const blocker = await client.createTask('endless blocker');
    await model.waitFor({ state: 'started', match: 'blocker' });
    const queued = await Promise.all(Array.from({ length: run.rounds }, () => client.createTask('endless queued')));
    await Promise.all(queued.map((taskId) => stopTask(client, taskId)));
    for (const taskId of queued) expect(countStops(await client.listEvents(taskId))).toEqual({ byUser: 1, ends: 1 });
    await stopTask(client, blocker);
    await client.follow(await client.createTask('tail'), isEnd);
    expect((await model.calls()).filter(({ body }) => JSON.stringify(body).includes('queued'))).toEqual([]);
  });

  it('during and between tool calls is the last event', async () => {
    const run = beginRun('stop while tools run', { gate: 5, night: 50 });
    await model.reset();
    const calls = Array.from({ length: 300 }, (_, index) => ({
      tool: 'write_file',
      input: { path: `${index}.txt`, content: 'x' },
    }));
    await model.script([{ match: 'tools', steps: [{ calls }, { text: 'All written.' }] }]);
    await using deployment = await LocalDeployment.start('sqlite', { model });
    const { client } = deployment;
    for (let round = 0; round < run.rounds; round += 1) {
      const taskId = await client.createTask('tools');
      const wanted = run.chance.integer(1, 40);
      let used = 0;
      await client.follow(taskId, ({ type }) => type === 'tool_used' && ++used === wanted);
      await stopTask(client, taskId);
      const events = await client.listEvents(taskId);
      expect(events.slice(-2).map(({ type }) => type)).toEqual(['user_stop', 'status_update']);
      expect(events.filter(({ type }) => type === 'tool_used').length).toBeLessThan(calls.length);
      await client.follow(await client.createTask('tail'), isEnd);
      expect(await client.listEvents(taskId)).toEqual(events);
    }
    const tasks = await readTasks(deployment);
    expect([...tasks.flatMap(auditTask), ...(await auditLedger(deployment, tasks))]).toEqual([]);
  });
});

const racesAtOnce = 10;
/** Fewer do not find the delay at which either side wins on a slow machine. */
const leastRaces = 100;
const usualReplyMs = 15;

/** The model's reply takes this many milliseconds. */
async function scriptReply(replyMs: number): Promise<void> {
  const reply: Rule = { match: 'race', steps: [{ text: ['one ', 'two ', 'three'], frameDelayMs: replyMs / 3 }] };
  await model.script([reply]);
}

/** One race; true when the stop was there first. The stream is read beside it. */
async function race(client: ServiceClient, delayMs: number): Promise<boolean> {
  const taskId = await client.createTask('race');
  const streamed = client.follow(taskId, isEnd);
  await pause(systemClock, delayMs);
  await stopTask(client, taskId);
  const [status, events, read] = await Promise.all([client.statusOf(taskId), client.listEvents(taskId), streamed]);
  const { byUser, ends } = countStops(events);
  expect(status).toBe('stopped');
  expect(ends).toBe(1);
  expect(read).toEqual(events);
  expect(events.at(-1)).toMatchObject({ status_update: { brief: byUser === 1 ? 'Stopped by the user' : 'Finished' } });
  return byUser === 1;
}

/** Many races; everything that is not as it should be afterwards. */
async function raceMany(deployment: Deployment, run: CrashRun): Promise<string[]> {
  const { client } = deployment;
  await client.follow(await client.createTask('race'), isEnd);
  const races = Math.ceil(run.rounds / racesAtOnce) * racesAtOnce;
  let won = 0;
  // Follows the machine: stops later when they win, sooner when they come too late, and of longer replies when they could not come sooner.
  let replyMs = usualReplyMs;
  let delayMs = replyMs;
  for (let done = 0; done < races; done += racesAtOnce) {
    const delays = Array.from({ length: racesAtOnce }, () => Math.max(0, delayMs + run.chance.integer(-5, 5)));
    const wins = (await Promise.all(delays.map((delay) => race(client, delay)))).filter(Boolean).length;
    won += wins;
    if (delayMs === 0 && wins < racesAtOnce / 2) await scriptReply((replyMs *= 2));
    delayMs = Math.max(0, delayMs + (wins - racesAtOnce / 2));
  }
  run.measure({ wonByStop: won, wonByFinish: races - won });
  const tasks = await eventually('all tasks rest', async () => {
    const all = await readTasks(deployment);
    return all.some(({ status }) => status === 'running') ? null : all;
  });
  const problems = [
    ...tasks.flatMap(auditTask),
    ...(await auditApiViews(deployment, tasks)),
    ...(await auditLedger(deployment, tasks)),
  ];
  // Without many wins on either side there was no race.
  if (Math.min(won, races - won) <= races / 20) problems.push(`${won} stops of ${races} were first`);
  const tail = await client.follow(await client.createTask('tail'), isEnd);
  return statusIn(tail.at(-1)) === 'stopped' ? problems : [...problems, `tail: ${JSON.stringify(tail)}`];
}

describe.each<{ shape: Shape }>([{ shape: 'sqlite' }, { shape: 'api and two workers' }])(
  'a stop that races the end of its task ($shape)',
  ({ shape }) => {
    it('leaves one end, the same in detail, list, messages and stream', { timeout: 900_000 }, async () => {
      const run = beginRun(`stop races finish, ${shape}`, { gate: 100, night: 1000, least: leastRaces });
      await model.reset();
      await scriptReply(usualReplyMs);
      await using deployment = await Deployment.start(shape, { model });
      expect(await raceMany(deployment, run)).toEqual([]);
    });
  },
);
