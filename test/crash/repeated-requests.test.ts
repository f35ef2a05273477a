import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun, type CrashRun } from '../support/process/crash-run.ts';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { isEnd, type ServiceAnswer, type ServiceClient } from '../support/service/service-client.ts';
import { auditTask, readTasks } from '../support/tasks/task-audit.ts';

const parallel = 50;

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

function create(client: ServiceClient, key: string, content = key): Promise<ServiceAnswer> {
  return client.call('task.create', { message: { content } }, key);
}

/** Sends one request many times at once and kills the service meanwhile; then sends it again. Returns the IDs it received. */
async function killWhileRepeating({ client, api }: Deployment, key: string, run: CrashRun): Promise<string[]> {
  const sent = Array.from({ length: parallel }, () => create(client, key));
  const settling = Promise.allSettled(sent);
  // Between the first requests that arrive and the first answers that are on their way, or a little later.
  if (run.chance.happens(0.5)) await Promise.any(sent);
  else await pause(systemClock, run.chance.integer(0, 30));
  await api.kill();
  const settled = await settling;
  await api.restart();
  const again = await Promise.all([create(client, key), create(client, key)]);
  const answers = [...settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])), ...again];
  run.note({ key, answered: answers.length - again.length });
  expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
  return answers.map(({ body }) => String(body.task_id));
}

describe.each<{ shape: Shape }>([{ shape: 'sqlite' }, { shape: 'postgres' }])(
  'requests with one Idempotency-Key ($shape)',
  ({ shape }) => {
    it('create one task, even if the service is killed before it responds', { timeout: 900_000 }, async () => {
      const run = beginRun(`repeated requests, ${shape}`, { gate: 4, night: 100 });
      await model.reset();
      await using deployment = await Deployment.start(shape, { model, env: { ERRAND_LEASE_TTL_MS: '1000' } });
      const { client } = deployment;
      for (let round = 0; round < run.rounds; round += 1) {
        const ids = new Set(await killWhileRepeating(deployment, `key-${round}`, run));
        expect(ids.size).toBe(1);
      }
      const other = await create(client, 'key-0', 'something else');
      expect([other.status, other.body]).toMatchObject([400, { error: { code: 'invalid_argument' } }]);
      await client.follow(await client.createTask('tail'), isEnd);
      const tasks = await readTasks(deployment);
      expect(tasks).toHaveLength(run.rounds + 1);
      expect(tasks.flatMap(auditTask)).toEqual([]);
    });
  },
);
