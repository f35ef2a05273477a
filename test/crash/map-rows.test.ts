import { afterAll, beforeAll, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type CallRecord, type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { eventually, isEnd } from '../support/service/service-client.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';

const rowCount = 1000;
const rows = Array.from({ length: rowCount }, (_, at) => ({ name: `row-${at}-` }));
const input = {
  ...{ rows, instruction: 'Name the city.', output: 'out.csv' },
  schema: { type: 'object', properties: { city: { type: 'string' } } },
};

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  const read = { tool: 'read_file', input: { path: 'out.csv' } };
  await model.script([
    { match: 'map them', steps: [{ calls: [{ tool: 'map_rows', input }] }, { calls: [read] }, { text: 'Mapped.' }] },
    { match: 'row-', steps: [{ text: '{"city":"Rome"}', delayMs: 10 }] },
  ]);
});
afterAll(() => model.stop());

const rowOf = ({ body }: CallRecord) => /row-(\d+)-/.exec(JSON.stringify(body).slice(0, 5000))?.[1];

/** Calls about rows offer no tools. */
const isAboutRow = (body: unknown) => (body as { tools?: unknown }).tools === undefined;

/** Rows with a stored answer. */
async function readStored(deployment: Deployment): Promise<Set<string>> {
  const stored = await deployment.query("SELECT position FROM mapped_rows WHERE state = 'done'");
  return new Set(stored.map(({ position }) => String(position)));
}

/** Calls about one row each, that began after a time. */
async function listRowCalls(afterMs: number): Promise<string[]> {
  const calls = (await model.calls()).filter(({ startedAtMs, body }) => startedAtMs >= afterMs && isAboutRow(body));
  return calls.flatMap((call) => rowOf(call) ?? []);
}

it.each(['sqlite', 'api and two workers'] as const)(
  'no row is asked about again whose answer was stored before a kill, and each has one answer (%s)',
  { timeout: 1_200_000 },
  async (shape: Shape) => {
    const run = beginRun(`map rows, ${shape}`, { gate: 2, night: 20 });
    await using deployment = await Deployment.start(shape, { model, env: { ERRAND_LEASE_TTL_MS: '3000' } });
    const startedAtMs = Date.now();
    const taskId = await deployment.client.createTask('map them');
    const victims = shape === 'sqlite' ? [deployment.api] : [...deployment.workers];
    for (let round = 0; round < run.rounds; round += 1) {
      const before = (await readStored(deployment)).size;
      const wanted = Math.min(before + run.chance.integer(1, Math.floor(rowCount / (run.rounds + 1))), rowCount);
      await eventually('more rows are answered', async () => ((await readStored(deployment)).size >= wanted ? true : null));
      await pause(systemClock, run.chance.integer(0, 30));
      await Promise.all(victims.map((victim) => victim.kill()));
      const stored = await readStored(deployment);
      const restartedAtMs = Date.now();
      await Promise.all(victims.map((victim) => victim.restart()));
      await eventually('work goes on', async () =>
        (await readStored(deployment)).size > stored.size || stored.size === rowCount ? true : null,
      );
      const repeated = (await listRowCalls(restartedAtMs)).filter((row) => stored.has(row));
      run.note({ round, stored: stored.size, repeated });
      expect(repeated).toEqual([]);
    }
    const events = await deployment.client.follow(taskId, isEnd);
    expect(JSON.stringify(events.at(-2))).toContain('Mapped.');
    expect((await readStored(deployment)).size).toBe(rowCount);
    run.measure({ calls: (await listRowCalls(startedAtMs)).length });
    const tasks = await readTasks(deployment);
    expect([...tasks.flatMap(auditTask), ...(await auditLedger(deployment, tasks))]).toEqual([]);
  },
);
