import { describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { defaultRates } from '../../src/rules/instance/rate-window.ts';
import { OwnRateLimiter } from '../../src/http/service/http-service.ts';
import { buildScheduleWorker } from '../../src/app/build-schedule-worker.ts';
import type { Runtime } from '../../src/app/runtime.ts';
import type { Stores } from '../../src/app/open-stores.ts';
import type { Database } from '../../src/store/db/database.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber } from '../support/http/matchers.ts';
import { eventually } from '../support/service/service-client.ts';

const minuteMs = 60_000;
/** Makes the next run due, a second after the one before. */
const nextMs = minuteMs - 1000;

describeStores('runs of schedules', (store) => {
  const workerOf = (api: ApiUnderTest, database: Database = store.database) =>
    buildScheduleWorker(
      { clock: systemClock, log: silentLog, config: { drainMs: 8000 } } as Runtime,
      { database } as Stores,
      api.http,
      'w1',
    );
  const create = async (api: ApiUnderTest, input: Json = {}): Promise<string> => {
    const { status, body } = await api.call('schedule.create', {
      ...{ name: 'Report', message: 'Write it.', interval_seconds: 60 },
      ...input,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    return String((body.schedule as Json).id);
  };
  /** As if the schedule had been made earlier, and its times since then had passed unnoticed. */
  const moveBack = (id: string, byMs: number) =>
    store.query(
      'UPDATE schedules SET anchor_at = anchor_at - ?, next_run_at = next_run_at - ?, run_at = run_at - ? WHERE id = ? RETURNING id',
      ...[byMs, byMs, byMs, id],
    );
  const runsOf = async (api: ApiUnderTest, id: string) =>
    (await api.call('schedule.runs', { schedule_id: id, limit: 100 })).body.data.toReversed();
  const work = async (api: ApiUnderTest, ids: readonly string[], database: readonly Database[] = [store.database]) => {
    const workers = database.map((one) => workerOf(api, one));
    await Promise.all(workers.map((worker) => worker.start()));
    await eventually('every run has an outcome', async () => {
      const [due] = await store.query('SELECT id FROM schedules WHERE next_run_at <= ?', Date.now());
      const open = (await Promise.all(ids.map((id) => runsOf(api, id)))).flat().some(({ outcome }) => outcome === null);
      return due || open ? null : true;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  };

  /** The same by the tables alone, for an account whose key no longer works. */
  const workUntilDecided = async (api: ApiUnderTest) => {
    const worker = workerOf(api);
    await worker.start();
    await eventually('a run has an outcome', async () =>
      (await store.query('SELECT id FROM schedule_runs WHERE outcome IS NOT NULL')).length > 0 ? true : null,
    );
    await worker.stop();
  };

  it('start at their time, once, with a row that says so', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api);
    await moveBack(id, minuteMs);
    await work(api, [id]);
    const [run, ...others] = await runsOf(api, id);
    expect(others).toEqual([]);
    expect(run).toEqual({
      ...{ id: someId, due_at: someNumber, started_at: someNumber, task_id: someId, outcome: 'started', credit_usage: 0 },
    });
    const { task } = (await api.call('task.detail', { task_id: run?.task_id })).body;
    expect(task).toMatchObject({ schedule_id: id, title: 'Report', created_by_api_key: { id: api.owner.keyId } });
    const { schedule } = (await api.call('schedule.detail', { schedule_id: id })).body as unknown as { schedule: Json };
    expect(schedule).toMatchObject({ status: 'active', runs: 1, last_outcome: 'started' });
    expect(Number(schedule.next_run_at)).toBe(Number(run?.due_at) + 60);
  });

  it('are one for each time, however many processes look for them', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const ids = await Promise.all(Array.from({ length: 40 }, () => create(api, { overlap: 'parallel', catch_up: 'all' })));
    await store.query(
      'UPDATE schedules SET anchor_at = anchor_at - ?, next_run_at = next_run_at - ? RETURNING id',
      300_000,
      300_000,
    );
    await work(api, ids, [store.database, ...store.others, store.database]);
    const runs = (await Promise.all(ids.map((id) => runsOf(api, id)))).flat();
    expect(runs).toHaveLength(40 * 5);
    expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['started']));
    expect(new Set(runs.map(({ task_id: taskId }) => taskId)).size).toBe(40 * 5);
    expect(await store.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL')).toHaveLength(40 * 5);
  });

  it.each<[policy: string, outcomes: string[]]>([
    ['none', ['missed', 'missed', 'missed']],
    ['last', ['missed', 'missed', 'started']],
    ['all', ['started', 'started', 'started']],
  ])('that were missed are made up for as catch_up says: %s', async (policy, outcomes) => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { catch_up: policy, overlap: 'parallel' });
    await moveBack(id, 3 * minuteMs + 30_000);
    await work(api, [id]);
    expect((await runsOf(api, id)).map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  it('wait beyond the rate limit of the account, and are counted once', async () => {
    const limiter = new OwnRateLimiter(systemClock, { ...defaultRates, create: 2 });
    await using api = await ApiUnderTest.start(store.database, { limiter });
    const ids = await Promise.all(Array.from({ length: 4 }, () => create(api)));
    for (const id of ids) await moveBack(id, minuteMs);
    const worker = workerOf(api);
    await worker.start();
    const readRuns = () => store.query('SELECT outcome, tries, ready_at FROM schedule_runs ORDER BY outcome');
    await eventually('two runs have started, and two were put off', async () => {
      const runs = await readRuns();
      const isOff = (run: Record<string, unknown>) => run['tries'] === 0 && Number(run['ready_at']) > Date.now();
      return runs.filter(({ outcome }) => outcome === 'started').length === 2 && runs.filter(isOff).length === 2 ? true : null;
    });
    await worker.stop();
    expect(await store.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL')).toHaveLength(2);
  });

  it('end their schedule if they were the last', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const once = await create(api, { interval_seconds: undefined, run_at: Math.floor(Date.now() / 1000) + 60 });
    await moveBack(once, minuteMs + 2000);
    await work(api, [once]);
    expect(await runsOf(api, once)).toMatchObject([{ outcome: 'started' }]);
    const { schedule } = (await api.call('schedule.detail', { schedule_id: once })).body;
    expect(schedule).toMatchObject({ status: 'ended', next_run_at: null, next_runs: [] });
    const refused = await api.call('schedule.update', { schedule_id: once, status: 'active' });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'status']);
    const again = await api.call('schedule.update', { schedule_id: once, run_at: Math.floor(Date.now() / 1000) + 3600 });
    expect(again.body.schedule).toMatchObject({ status: 'active' });
  });

  describe('while an earlier task is running', () => {
    const startTwice = async (api: ApiUnderTest, overlap: string) => {
      const id = await create(api, { overlap });
      await moveBack(id, minuteMs + 3000);
      await work(api, [id]);
      await moveBack(id, nextMs);
      return id;
    };

    it('are skipped, with the reason', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const id = await startTwice(api, 'skip');
      await work(api, [id]);
      const reason = 'The task of an earlier run is still running or waiting.';
      expect(await runsOf(api, id)).toMatchObject([{ outcome: 'started' }, { outcome: 'skipped', reason, started_at: null }]);
    });

    it('start beside it', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const id = await startTwice(api, 'parallel');
      await work(api, [id]);
      expect(await runsOf(api, id)).toMatchObject([{ outcome: 'started' }, { outcome: 'started' }]);
    });

    it('wait for its end, in their order', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const id = await startTwice(api, 'queue');
      const worker = workerOf(api);
      await worker.start();
      for (const count of [1, 2]) {
        const runs = await eventually('the next run is recorded', async () => {
          const found = await runsOf(api, id);
          return found.length === count + 1 ? found : null;
        });
        expect(runs.map(({ outcome }) => outcome)).toEqual([...Array<string>(count).fill('started'), null]);
        await api.call('task.stop', { task_id: runs[count - 1]?.task_id });
        await eventually('it starts', async () => ((await runsOf(api, id))[count]?.outcome === 'started' ? true : null));
        await moveBack(id, nextMs);
        store.database.hints.publish({ topic: 'schedules' });
      }
      await worker.stop();
    });
  });

  it.each(['paused', 'ended'])('that wait for their turn are skipped once their schedule is %s', async (status) => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { overlap: 'queue' });
    const first = (await api.call('schedule.runNow', { schedule_id: id })).body.task_id;
    await moveBack(id, minuteMs);
    const worker = workerOf(api);
    await worker.start();
    await eventually('a run waits', async () => ((await runsOf(api, id)).some(({ outcome }) => outcome === null) ? true : null));
    await worker.stop();
    const { schedule } = (await api.call('schedule.update', { schedule_id: id, status })).body;
    expect(schedule).toMatchObject({ status, last_outcome: 'skipped', next_run_at: null });
    await api.call('task.stop', { task_id: first });
    await work(api, [id]);
    const outcomes = (await runsOf(api, id)).map(({ outcome, reason }) => [outcome, reason]);
    expect(new Set(outcomes.map(String))).toEqual(new Set(['started,', `skipped,The schedule was ${status}.`]));
    expect(await store.query('SELECT id FROM tasks WHERE schedule_id = ?', id)).toHaveLength(1);
  });

  it('do not answer for the user of a conversation that waits, and begin another', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { conversation: 'same', overlap: 'parallel' });
    const run = async () => (await api.call('schedule.runNow', { schedule_id: id })).body.task_id;
    const first = await run();
    await store.query("UPDATE tasks SET status = 'waiting' WHERE id = ? RETURNING id", String(first));
    const second = await run();
    expect(second).not.toBe(first);
    expect(await run()).toBe(second);
  });

  it('continue one conversation, which costs what each of them adds', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { conversation: 'same', overlap: 'parallel' });
    const cost = (credits: number) => store.query('UPDATE tasks SET credits = ? WHERE schedule_id = ? RETURNING id', credits, id);
    for (const credits of [3, 10]) {
      await moveBack(id, credits === 3 ? minuteMs + 3000 : nextMs);
      await work(api, [id]);
      await cost(credits);
    }
    const runs = await runsOf(api, id);
    expect(runs.map(({ credit_usage: usage }) => usage)).toEqual([3, 7]);
    expect(new Set(runs.map(({ task_id: taskId }) => taskId)).size).toBe(1);
  });

  it('that cannot start are skipped with the reason that task.create would give', async () => {
    await using api = await ApiUnderTest.start(store.database, { isCreditEnforced: true });
    const id = await create(api);
    const spent = { path: '/admin/credits.grant', body: { credits: -1_000_000 }, account: api.owner.accountId };
    expect((await api.http.inject({ method: 'POST', ...spent })).status).toBe(200);
    await moveBack(id, minuteMs);
    await work(api, [id]);
    const [run] = await runsOf(api, id);
    expect(run).toMatchObject({ outcome: 'skipped' });
    expect(run?.reason).toMatch(/^No credits left/);
    expect((await api.call('schedule.detail', { schedule_id: id })).body.schedule).toMatchObject({
      last_outcome: 'skipped',
      runs: 0,
    });
  });

  it('of a paused or deleted schedule do not start', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [paused, deleted] = [await create(api), await create(api)];
    await api.call('schedule.update', { schedule_id: paused, status: 'paused' });
    await api.call('schedule.delete', { schedule_id: deleted });
    await work(api, [paused]);
    expect(await runsOf(api, paused)).toEqual([]);
    expect(await store.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL')).toEqual([]);
  });

  it.each([
    [
      'account is disabled',
      "UPDATE accounts SET status = 'disabled' WHERE account_id = ? RETURNING status",
      /^The account is disabled/,
    ],
    [
      'account is being deleted',
      "UPDATE accounts SET status = 'deleting' WHERE account_id = ? RETURNING status",
      /^The account is/,
    ],
    [
      'application no longer has access',
      "UPDATE schedules SET oauth_client_id = 'gone' WHERE account_id = ? RETURNING id",
      /^The application .* no longer has access/,
    ],
  ])('are skipped, with the reason, while their %s', async (_, change, reason) => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api);
    await moveBack(id, minuteMs);
    await store.query(change, api.owner.accountId);
    await workUntilDecided(api);
    const runs = await store.query('SELECT outcome, reason FROM schedule_runs WHERE schedule_id = ?', id);
    expect(runs).toEqual([{ outcome: 'skipped', reason: expect.stringMatching(reason) as string }]);
    expect(await store.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL')).toEqual([]);
  });

  it('that are due when their schedule changes are not lost', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api);
    await moveBack(id, minuteMs);
    await api.call('schedule.update', { schedule_id: id, interval_seconds: 3600 });
    await work(api, [id]);
    expect(await runsOf(api, id)).toMatchObject([{ outcome: 'started' }]);
  });

  it('are kept up to a bound', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await create(api, { catch_up: 'none' });
    const { accountId } = api.owner;
    await store.query(
      `INSERT INTO schedule_runs (account_id, schedule_id, due_at, id, tries, outcome)
       SELECT ?, ?, i, 'r' || i, 1, 'missed' FROM
         (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i FROM n) AS numbers`,
      ...[accountId, id],
    );
    await moveBack(id, 150 * minuteMs);
    await work(api, [id]);
    const [{ count } = { count: 0 }] = await store.query('SELECT COUNT(*) AS count FROM schedule_runs WHERE schedule_id = ?', id);
    expect(Number(count)).toBe(1000);
    await store.query('UPDATE schedules SET recorded = 99 WHERE id = ? RETURNING id', id);
    await store.query(
      `INSERT INTO schedule_runs (account_id, schedule_id, due_at, id, tries, outcome) VALUES (?, ?, 1, 'r', 1, 'missed') RETURNING id`,
      ...[accountId, id],
    );
    await api.call('schedule.runNow', { schedule_id: id });
    expect(await store.query('SELECT id FROM schedule_runs WHERE schedule_id = ?', id)).toHaveLength(1000);
  });
});
