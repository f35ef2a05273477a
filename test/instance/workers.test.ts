import { describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Database } from '../../src/store/db/database.ts';
import { WorkerRegistration } from '../../src/work/tasks/worker-registration.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { addInstanceKey, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';

/** A job that neither runs nor fails, as its process and the API tell it. */
const quiet = { runningSinceMs: null, failure: null, failingSinceMs: null };
const untold = { running_since: null, failing_since: null, error: null };

describeStores('the workers of an instance', (store) => {
  async function begin() {
    const api = await ApiUnderTest.start(store.database);
    const key = await addInstanceKey(store.database);
    const ask = (name: string, input: Json = {}) => api.call(name, input, { key });
    const list = async () => (await ask('instance.listWorkers')).body.data;
    return { api, ask, list, [Symbol.asyncDispose]: () => api.stop() };
  }

  /** A worker of another process, and what it was notified of. */
  function register(database: Database) {
    const notified: boolean[] = [];
    const workerId = newId(Date.now());
    const registration = new WorkerRegistration({
      ...{ database, clock: systemClock, log: silentLog, workerId, host: 'machine-1', concurrency: 7, isAlone: false },
      readJobs: () => [
        { name: 'sweeper', ranAtMs: 5000, tookMs: 12.4, ...quiet },
        {
          ...{ name: 'retention-worker', ranAtMs: 9000, tookMs: 2, runningSinceMs: 11_000 },
          ...{ failure: 'tasks could not be deleted', failingSinceMs: 7000 },
        },
        { name: 'search-worker', ranAtMs: null, tookMs: null, ...quiet },
        { name: 'account-worker', ranAtMs: 4000, tookMs: 1, ...quiet, runningSinceMs: 6000 },
      ],
      readMachine: () => Promise.resolve({ diskFreeBytes: 3, diskTotalBytes: 8, hasSandbox: false, sandbox: 'no bubblewrap' }),
      worker: { setDraining: (isDraining) => void notified.push(isDraining) },
    });
    return { workerId, notified, registration };
  }

  it('are listed from their start to their end, also those that have nothing to do', async () => {
    await using world = await begin();
    const { workerId, registration } = register(store.others[0] ?? store.database);
    await registration.start();
    const [worker] = await eventually('it is listed', async () => ((await world.list()).length > 0 ? world.list() : null));
    expect(worker).toEqual({
      ...{ id: workerId, status: 'active', tasks: 0, concurrency: 7, host: 'machine-1' },
      started_at: expect.any(Number) as number,
      disk: { free_bytes: 3, total_bytes: 8 },
      sandbox: { available: false, detail: 'no bubblewrap' },
      jobs: [
        { name: 'sweeper', status: 'succeeded', last_run_at: 5, duration_ms: 12, ...untold },
        {
          ...{ name: 'retention-worker', status: 'failed', last_run_at: 9, duration_ms: 2, running_since: 11 },
          ...{ failing_since: 7, error: 'tasks could not be deleted' },
        },
        { name: 'search-worker', status: 'waiting', last_run_at: null, duration_ms: null, ...untold },
        { name: 'account-worker', status: 'running', last_run_at: 4, duration_ms: 1, ...untold, running_since: 6 },
      ],
    });
    expect((await world.ask('instance.health')).body.health).toMatchObject({ workers: 1 });
    await registration.stop();
    expect(await world.list()).toEqual([]);
    expect((await world.ask('instance.health')).body.health).toMatchObject({ workers: 0 });
  });

  it('of which one was killed are those that said last minute that they run', async () => {
    await using world = await begin();
    const { registration } = register(store.database);
    await registration.start();
    await eventually('it is listed', async () => ((await world.list()).length > 0 ? true : null));
    await store.query('UPDATE workers SET expires_at = 1');
    expect(await world.list()).toEqual([]);
    await registration.stop();
  });

  it('learn in their own process that they are drained, and that they no longer are', async () => {
    await using world = await begin();
    const [one, other] = [register(store.others[0] ?? store.database), register(store.others[1] ?? store.database)];
    await Promise.all([one, other].map(({ registration }) => registration.start()));
    await eventually('both are listed', async () => ((await world.list()).length === 2 ? true : null));
    const drained = await world.ask('instance.drainWorker', { worker_id: one.workerId });
    expect([drained.status, drained.body.worker]).toEqual([
      200,
      expect.objectContaining({ id: one.workerId, status: 'draining', tasks: 0 }),
    ]);
    await eventually('it was notified', async () => (one.notified.length > 0 ? true : null));
    expect((await world.list()).map(({ id, status }) => [id, status])).toEqual(
      [one.workerId, other.workerId].toSorted().map((id) => [id, id === one.workerId ? 'draining' : 'active']),
    );
    expect((await world.ask('instance.drainWorker', { worker_id: one.workerId })).status).toBe(200);
    const back = await world.ask('instance.undrainWorker', { worker_id: one.workerId });
    expect(back.body.worker).toMatchObject({ status: 'active' });
    await eventually('it was notified again', async () => (one.notified.length > 1 ? true : null));
    expect([one.notified, other.notified]).toEqual([[true, false], []]);
    await Promise.all([one, other].map(({ registration }) => registration.stop()));
  });

  it('are in the record of the instance when they are drained, once, and unknown ones are answered with 404', async () => {
    await using world = await begin();
    const { workerId, registration } = register(store.database);
    await registration.start();
    await eventually('it is listed', async () => ((await world.list()).length > 0 ? true : null));
    await world.ask('instance.drainWorker', { worker_id: workerId });
    await world.ask('instance.drainWorker', { worker_id: workerId });
    await world.ask('instance.undrainWorker', { worker_id: workerId });
    const events = await store.query("SELECT kind, detail FROM security_events WHERE account_id = 'instance' ORDER BY id");
    expect(events.filter(({ kind }) => String(kind).startsWith('worker_'))).toEqual(
      ['worker_draining', 'worker_resumed'].map((kind) => ({ kind, detail: JSON.stringify({ worker_id: workerId }) })),
    );
    for (const worker_id of [newId(1), 'nobody', '\0']) {
      for (const name of ['instance.drainWorker', 'instance.undrainWorker']) {
        const { status, body } = await world.ask(name, { worker_id });
        expect([status, body.error]).toEqual([404, { code: 'not_found', message: 'worker not found' }]);
      }
    }
    expect((await world.ask('instance.drainWorker')).body.error).toMatchObject({
      code: 'invalid_argument',
      param: 'worker_id',
    });
    await registration.stop();
  });
});

describe('the one worker of an embedded store', () => {
  it('keeps its tasks waiting while it is drained, answers requests, and runs them when it is drained no longer', async () => {
    await using service = await LocalService.start();
    const client = new ServiceClient(service);
    const cli = new CliUnderTest({ ERRAND_DATA_DIR: service.dataDir });
    const list = async () => (await cli.runJson(['worker', 'list'])).data as { id: string; status: string; tasks: number }[];
    const [worker] = await list();
    const id = String(worker?.id);
    expect(worker).toMatchObject({ status: 'active', tasks: 0 });
    expect((await cli.run(['worker', 'drain', id])).stdout).toBe(`draining ${id}`);
    await service.waitForLog(({ msg }) => String(msg).startsWith('draining'));
    const taskId = await client.createTask('say hello');
    // A round of its own would have claimed the task by now: each claim is made before the next request is answered.
    expect((await cli.run(['worker', 'list'])).stdout).toMatch(/draining +0 of 5000/);
    expect(await client.statusOf(taskId)).toBe('running');
    expect((await cli.run(['worker', 'undrain', id])).stdout).toBe(`active ${id}`);
    await eventually('it has ended', async () => ((await client.statusOf(taskId)) === 'stopped' ? true : null));
    await cli.run(['worker', 'drain', id]);
    await service.restart();
    const [next] = await list();
    expect([next?.status, next?.id === id, (await list()).length]).toEqual(['active', false, 1]);
  });
});
