import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun, timeLimit } from '../support/process/crash-run.ts';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { type CallRecord, type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { eventually, isEnd } from '../support/service/service-client.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';

const waitMs = 6000;
/** From the moment at which a call is due or its service is back, whichever comes later. */
const mostLateMs = timeLimit(2000);

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

/** Starts a task whose first call is refused until later, and waits until that is recorded; when the refusal was sent. */
async function startWaiting(deployment: Deployment): Promise<{ taskId: string; refused: CallRecord }> {
  await model.reset();
  const overloaded = { status: 429, headers: { 'retry-after': String(waitMs / 1000) } };
  await model.script([{ match: 'wait', order: 'call', steps: [overloaded, { text: 'At last.' }] }]);
  const taskId = await deployment.client.createTask('wait');
  const [refused] = await model.waitFor({ state: 'closed', match: 'wait' });
  if (!refused) throw new Error('no call');
  await eventually('the failure is recorded', async () => {
    const rows = await deployment.query("SELECT seq FROM events WHERE type = 'model_failed'");
    return rows.length > 0 ? true : null;
  });
  return { taskId, refused };
}

/** Lets the task end; how long after the refusal the model was asked again, and how late that was. */
async function finish(deployment: Deployment, taskId: string, refused: CallRecord, backAtMs: number) {
  await deployment.client.follow(taskId, isEnd);
  const [, second, ...more] = await model.calls();
  const askedAtMs = second?.startedAtMs ?? Number.NaN;
  const lateMs = askedAtMs - Math.max(refused.startedAtMs + waitMs, backAtMs);
  const problems = (await readTasks(deployment)).flatMap(auditTask);
  return { waitedMs: askedAtMs - refused.startedAtMs, lateMs, problems: [...problems, ...more] };
}

describe.each<{ shape: Shape }>([{ shape: 'sqlite' }, { shape: 'postgres' }])('a wait for the model ($shape)', ({ shape }) => {
  it('is neither shortened nor restarted by a crash', async () => {
    const run = beginRun(`retry wait, ${shape}`, { gate: 1, night: 10 });
    for (let round = 0; round < run.rounds; round += 1) {
      await using deployment = await Deployment.start(shape, { model, env: { ERRAND_LEASE_TTL_MS: '1000' } });
      const { taskId, refused } = await startWaiting(deployment);
      const killAt = refused.startedAtMs + run.chance.integer(waitMs / 4, waitMs / 2);
      await pause(systemClock, killAt - Date.now());
      await deployment.api.restart();
      const { waitedMs, lateMs, problems } = await finish(deployment, taskId, refused, Date.now());
      expect(waitedMs).toBeGreaterThanOrEqual(waitMs);
      expect(lateMs).toBeLessThanOrEqual(mostLateMs);
      expect(problems).toEqual([]);
    }
  });
});

describe('a wait for the model that ended while no worker ran', () => {
  it('is over when the service restarts', async () => {
    const run = beginRun('retry wait over', { gate: 1, night: 10 });
    for (let round = 0; round < run.rounds; round += 1) {
      await using deployment = await Deployment.start('sqlite', { model });
      const { taskId, refused } = await startWaiting(deployment);
      await deployment.api.kill();
      await pause(systemClock, refused.startedAtMs + waitMs + run.chance.integer(0, 500) - Date.now());
      await deployment.api.restart();
      const { waitedMs, lateMs, problems } = await finish(deployment, taskId, refused, Date.now());
      expect(waitedMs).toBeGreaterThanOrEqual(waitMs);
      expect(lateMs).toBeLessThanOrEqual(mostLateMs);
      expect(problems).toEqual([]);
    }
  });
});
