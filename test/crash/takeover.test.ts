import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun, isNightly, percentile, timeLimit } from '../support/process/crash-run.ts';
import { Deployment } from '../support/service/deployment.ts';
import { auditLedger } from '../support/credits/ledger-audit.ts';
import { type CallRecord, type ModelServer, type Rule, startModelServer } from '../support/models/model-server.ts';
import { eventually, isEnd } from '../support/service/service-client.ts';
import { auditTask, readTasks, type StoredTask } from '../support/tasks/task-audit.ts';

const ttlMs = 1000;
const tasksPerRound = 5;

const frameDelayMs = 50;
const longFrames = 400;

/** The first call streams for a while and requests work; the second is answered immediately. */
function slowThenQuick(token: string, frames = longFrames): Rule {
  const calls = [{ tool: 'write_file', input: { path: 'old.txt', content: 'old' } }];
  const slow = { text: Array.from({ length: frames }, (_, index) => `old ${index} `), calls, frameDelayMs };
  return { match: token, order: 'call', repeatsLast: true, steps: [slow, { text: 'Taken over.' }] };
}

function callsOf(calls: readonly CallRecord[], token: string): CallRecord[] {
  return calls.filter(({ body }) => JSON.stringify(body).includes(token));
}

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

function startDeployment(leaseTtlMs: number): Promise<Deployment> {
  return Deployment.start('api and two workers', { model, env: { ERRAND_LEASE_TTL_MS: String(leaseTtlMs) } });
}

async function findTask(deployment: Deployment, taskId: string): Promise<StoredTask> {
  const task = (await readTasks(deployment)).find(({ id }) => id === taskId);
  if (!task) throw new Error(`no task ${taskId}`);
  return task;
}

describe('a worker that died', () => {
  /** How long the tasks of a worker that was killed waited for the next step by another. */
  async function killWorkers(deployment: Deployment, run: ReturnType<typeof beginRun>): Promise<number[]> {
    const { client, twoWorkers } = deployment;
    const delays: number[] = [];
    let [alive, next] = twoWorkers;
    for (let round = 0; round < run.rounds; round += 1) {
      await next.kill();
      const tokens = Array.from({ length: tasksPerRound }, (_, index) => `takeover-${round}-${index}-`);
      await model.reset();
      await model.script(tokens.map((token) => slowThenQuick(token)));
      const taskIds = await Promise.all(tokens.map((token) => client.createTask(token)));
      await model.waitFor({ state: 'started', count: tasksPerRound });
      await next.restart();
      await pause(systemClock, run.chance.integer(0, ttlMs));
      await alive.kill();
      const killedAtMs = Date.now();
      const ends = await Promise.all(taskIds.map((taskId) => client.follow(taskId, isEnd)));
      expect(ends.map((events) => events.at(-2))).toMatchObject(
        taskIds.map(() => ({ assistant_message: { content: 'Taken over.' } })),
      );
      const calls = await model.calls();
      delays.push(...tokens.map((token) => (callsOf(calls, token)[1]?.startedAtMs ?? Number.NaN) - killedAtMs));
      run.note({ round, delays: delays.slice(-tasksPerRound) });
      await alive.restart();
      [alive, next] = [next, alive];
    }
    run.measure({
      takeoverP50Ms: percentile(delays, 0.5),
      takeoverP99Ms: percentile(delays, 0.99),
      takeoverMaxMs: Math.max(...delays),
    });
    expect(Math.min(...delays)).toBeGreaterThan(0);
    const tasks = await readTasks(deployment);
    expect([...tasks.flatMap(auditTask), ...(await auditLedger(deployment, tasks))]).toEqual([]);
    return delays;
  }

  it('is detected by the end of its session, and another resumes its tasks', { timeout: 900_000 }, async () => {
    const run = beginRun('takeover of a dead worker', { gate: 2, night: 100 });
    // Far longer than the test may take, so that no lease can end.
    await using deployment = await startDeployment(600_000);
    const delays = await killWorkers(deployment, run);
    expect(percentile(delays, 0.99)).toBeLessThanOrEqual(timeLimit(1000));
  });

  it('but only slow, and still renewing, keeps its tasks', { timeout: 600_000 }, async () => {
    const run = beginRun('slow worker', { gate: 1, night: 10 });
    // At the gate long enough for a machine that stops the workers too.
    const slowTtlMs = isNightly ? 8000 : 20_000;
    await using deployment = await startDeployment(slowTtlMs);
    const { client, twoWorkers } = deployment;
    for (let round = 0; round < run.rounds; round += 1) {
      const token = `slow-${round}-`;
      await model.reset();
      await model.script([{ match: token, steps: [{ text: Array.from({ length: 100 }, () => 'word '), frameDelayMs: 100 }] }]);
      const taskIds = await Promise.all([1, 2, 3, 4].map(() => client.createTask(token)));
      await model.waitFor({ state: 'started', count: taskIds.length });
      const leave = new AbortController();
      const ends = Promise.all(taskIds.map((taskId) => client.follow(taskId, isEnd))).finally(() => leave.abort());
      let [slow, watching] = twoWorkers;
      while (!leave.signal.aborted) {
        slow.pause();
        // Less than what is left of a lease when its renewal is due.
        await pause(systemClock, run.chance.integer(slowTtlMs / 8, slowTtlMs / 4), leave.signal);
        slow.resume();
        [slow, watching] = [watching, slow];
      }
      await ends;
      expect(await model.calls()).toHaveLength(taskIds.length);
    }
    const [row] = await deployment.query('SELECT max(fence) AS fence, max(crashes) AS crashes FROM tasks');
    expect(row).toEqual({ fence: 1, crashes: 0 });
  });
});

describe('a worker that was paused until another had finished its task', () => {
  it('writes nothing when it resumes', { timeout: 900_000 }, async () => {
    const run = beginRun('paused worker', { gate: 2, night: 50 });
    await using deployment = await startDeployment(ttlMs);
    const { client, twoWorkers } = deployment;
    let [paused, other] = twoWorkers;
    for (let round = 0; round < run.rounds; round += 1) {
      await other.kill();
      const token = `paused-${round}-`;
      await model.reset();
      // When the paused worker resumes, the whole reply waits in its socket, or the rest is still arriving.
      const isWhole = round % 2 === 0;
      await model.script([slowThenQuick(token, isWhole ? ttlMs / frameDelayMs : longFrames)]);
      const taskId = await client.createTask(token);
      await model.waitFor({ state: 'started', match: token });
      await pause(systemClock, run.chance.integer(0, ttlMs / 2));
      paused.pause();
      const pausedAt = systemClock.monotonic();
      await other.restart();
      await client.follow(taskId, isEnd);
      await pause(systemClock, Math.max(0, 3 * ttlMs - (systemClock.monotonic() - pausedAt)));
      const [before, row] = await Promise.all([findTask(deployment, taskId), readRow(deployment, taskId)]);
      if (isWhole) await model.waitFor({ state: 'closed', match: token, count: 2 });
      paused.resume();
      // Its own call ends, because it has let go; and it is awake, because it alone can do what comes next.
      await model.waitFor({ state: 'closed', match: token, count: 2 });
      await other.kill();
      const proof = await client.createTask('proof');
      await client.follow(proof, isEnd);
      expect(await findTask(deployment, taskId)).toEqual(before);
      expect(await readRow(deployment, taskId)).toEqual(row);
      const [old, taken] = callsOf(await model.calls(), token);
      expect([old?.outcome, taken?.outcome]).toEqual([isWhole ? 'completed' : 'aborted', 'completed']);
      run.note({ round, pausedMs: Math.round(systemClock.monotonic() - pausedAt) });
      await other.restart();
      [paused, other] = [other, paused];
    }
    await eventually('everything rests', async () =>
      (await readTasks(deployment)).every(({ status }) => status === 'stopped') ? true : null,
    );
    const tasks = await readTasks(deployment);
    expect([...tasks.flatMap(auditTask), ...(await auditLedger(deployment, tasks))]).toEqual([]);
  });
});

/** Without the mark of the search index, which a worker in the background takes away when it has read the task. */
async function readRow(deployment: Deployment, taskId: string): Promise<unknown> {
  const [row] = await deployment.query('SELECT * FROM tasks WHERE id = ?', taskId);
  return { ...row, search_due_at: null };
}
