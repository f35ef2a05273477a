import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginRun, isNightly } from '../support/process/crash-run.ts';
import { LocalDeployment } from '../support/service/deployment.ts';
import { findQuietPort } from '../support/service/quiet-port.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type CallRecord, type ModelServer, type Rule, startModelServer, type Step } from '../support/models/model-server.ts';
import { isEnd, type PublicEvent, ServiceClient, statusIn } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';

interface Outage {
  name: string;
  steps: Step[];
  /** Repeats the last step forever; otherwise the model answers again after them. */
  lasts?: boolean;
  /** The end of the task: its status, and for an error which. */
  end: string;
  calls: number;
  /** From the first message to the end; wider on a machine that does other things. */
  withinMs: number;
}

const retried = { calls: 5, withinMs: 120_000, lasts: true };
const once = { calls: 2, withinMs: 60_000, end: 'stopped' };
const pieces = Array.from({ length: 6 }, (_, index) => `piece ${index} `);

const outages: Outage[] = [
  { name: 'a key that is refused', steps: [{ status: 401 }], lasts: true, end: 'error model_refused', calls: 1, withinMs: 5000 },
  {
    name: 'a model that is unknown',
    steps: [{ status: 404 }],
    lasts: true,
    end: 'error model_refused',
    calls: 1,
    withinMs: 5000,
  },
  {
    name: 'a request that is refused',
    steps: [{ status: 400 }],
    lasts: true,
    end: 'error model_refused',
    calls: 1,
    withinMs: 5000,
  },
  { name: 'overload with Retry-After', steps: [{ status: 429, headers: { 'retry-after': '3' } }], ...once },
  { name: 'overload that lasts', steps: [{ status: 429 }], end: 'error model_overloaded', ...retried },
  {
    name: 'overload for an hour',
    steps: [{ status: 429, headers: { 'retry-after': '3600' } }],
    lasts: true,
    end: 'error model_overloaded',
    calls: 1,
    withinMs: 5000,
  },
  { name: 'failures that pass', steps: [{ status: 500 }, { status: 503 }], end: 'stopped', calls: 3, withinMs: 60_000 },
  { name: 'failures that last', steps: [{ status: 500 }], end: 'error model_unavailable', ...retried },
  { name: 'one reply that is cut', steps: [{ text: pieces, end: 'cut', endAfterFrames: 3 }], ...once },
  {
    name: 'replies that are cut',
    steps: [{ text: pieces, end: 'cut', endAfterFrames: 3 }],
    end: 'error model_unavailable',
    ...retried,
  },
  { name: 'a reply that just ends', steps: [{ text: pieces, end: 'missing', endAfterFrames: 3 }], ...once },
  { name: 'one malformed reply', steps: [{ text: pieces, end: 'garbage', endAfterFrames: 3 }], ...once },
  { name: 'malformed replies', steps: [{ body: 'this is no stream of events' }], end: 'error model_malformed', ...retried },
  { name: 'a reply that is empty', steps: [{ end: 'missing' }], ...once },
  { name: 'replies that are empty', steps: [{ end: 'missing' }], end: 'error model_malformed', ...retried },
  { name: 'a tool that is unknown', steps: [{ calls: [{ tool: 'fly_to_moon', input: {} }] }], ...once },
  { name: 'a tool call that is broken', steps: [{ calls: [{ tool: 'write_file', input: '{"path": "a' }] }], ...once },
];

const longOutages: Outage[] = [
  {
    name: 'a reply that stalls',
    steps: [{ text: pieces, end: 'stall', endAfterFrames: 3 }],
    end: 'stopped',
    calls: 2,
    withinMs: 90_000,
  },
  { name: 'replies of 100 MB', steps: [{ textBytes: 100_000_000 }], end: 'error model_malformed', ...retried, withinMs: 240_000 },
];

const cases = isNightly ? [...outages, ...longOutages] : outages;
const timeFactor = isNightly ? 1 : 4;

let model: ModelServer;
/** Runs beside the other test, because it takes its time. */
let away: Awaited<ReturnType<typeof startAway>>;
beforeAll(async () => {
  model = await startModelServer();
  away = await startAway();
});
afterAll(() => model.stop());

async function startAway() {
  const service = await LocalService.start({
    env: { ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: `http://127.0.0.1:${await findQuietPort()}/v1` },
  });
  const client = new ServiceClient({ url: service.url, apiKey: service.apiKey });
  return { service, client, taskId: await client.createTask('anybody?') };
}

function scriptOf({ name, steps, lasts = false }: Outage): Rule {
  return { match: `${name}.`, order: 'call', repeatsLast: lasts, steps };
}

function nameEnd(events: readonly PublicEvent[]): string {
  const error = events.find(({ type }) => type === 'error_message') as { error_message?: { error_type: string } } | undefined;
  const status = statusIn(events.at(-1)) ?? 'none';
  return error?.error_message ? `${status} ${error.error_message.error_type}` : status;
}

/** Runs one task into an outage; what is not as it should be. */
async function meet(client: ServiceClient, outage: Outage): Promise<string[]> {
  const { name, end, withinMs } = outage;
  const events = await client.follow(await client.createTask(`${name}.`), isEnd, withinMs * timeFactor + 60_000);
  const tookMs = (events.at(-1)?.timestamp ?? Number.NaN) - (events[0]?.timestamp ?? Number.NaN);
  return [
    ...(nameEnd(events) === end ? [] : [`${name}: ended as ${nameEnd(events)}, not ${end}: ${JSON.stringify(events.at(-2))}`]),
    ...(tookMs <= withinMs * timeFactor ? [] : [`${name}: took ${tookMs} ms`]),
  ];
}

function countCalls(calls: readonly CallRecord[], { name, calls: wanted }: Outage): string[] {
  const made = calls.filter(({ body }) => JSON.stringify(body).includes(`${name}.`)).length;
  return made === wanted ? [] : [`${name}: ${made} calls, not ${wanted}`];
}

describe('an outage of the model', () => {
  it('ends in its defined state after a bounded number of calls, concurrently with all others', {
    timeout: 3_600_000,
  }, async () => {
    const run = beginRun('model outages', { gate: 1, night: 20 });
    await using deployment = await LocalDeployment.start('sqlite', { model });
    const { client } = deployment;
    for (let round = 0; round < run.rounds; round += 1) {
      await model.reset();
      await model.script(cases.map(scriptOf));
      const problems = (await Promise.all(cases.map((outage) => meet(client, outage)))).flat();
      const calls = await model.calls();
      expect([...problems, ...cases.flatMap((outage) => countCalls(calls, outage))]).toEqual([]);
      const overloaded = calls.filter(({ body }) => JSON.stringify(body).includes('Retry-After.'));
      expect((overloaded[1]?.startedAtMs ?? 0) - (overloaded[0]?.startedAtMs ?? 0)).toBeGreaterThanOrEqual(3000);
    }
    const tail = await client.follow(await client.createTask('tail'), isEnd);
    expect(nameEnd(tail)).toBe('stopped');
    const tasks = await readTasks(deployment);
    expect([...tasks.flatMap(auditTask), ...(await auditLedger(deployment, tasks))]).toEqual([]);
  });

  it('with no server listening becomes an error after some time, and ends when the server returns', async () => {
    beginRun('model away', { gate: 1, night: 1 });
    const { service, client, taskId } = away;
    expect(nameEnd(await client.follow(taskId, isEnd))).toBe('error model_unavailable');
    await service.restart({ ERRAND_MODEL_BASE_URL: model.openaiUrl });
    await client.ask('task.sendMessage', { task_id: taskId, message: { content: 'and now?' } });
    const events = await client.follow(taskId, (event) => statusIn(event) === 'stopped');
    expect(events.at(-2)).toMatchObject({ assistant_message: { content: 'Done.' } });
  });
});
