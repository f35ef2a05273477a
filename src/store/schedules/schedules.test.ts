import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs, sampleSchedule, sampleTask } from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import { claimRuns, expireRunLeases } from './due-schedules.ts';
import { listRuns } from './run-history.ts';
import { continueRun, postponeRun, refuseRun, startRun } from './run-starts.ts';
import { expireLeasesOf, listLeaseOwners } from '../tasks/workers/ended-workers.ts';
import { createSchedule, deleteSchedule, getSchedule, listSchedules, updateSchedule } from './schedules.ts';

describeStores('the store of schedules', (store) => {
  /** A schedule with one run that is due. */
  const addDue = async () => {
    const now = nextMs();
    const key = { accountId: newAccountId(), scheduleId: newId(now) };
    const settings = { ...sampleSchedule(), anchorAtMs: Date.now() - 3_600_000, nextRunAtMs: Date.now() - 1000 };
    const due = { ...settings, anchorAtMs: settings.nextRunAtMs };
    await store.database.run(createSchedule, { ...key, settings: due, apiKeyId: null, oauthClientId: null, now });
    return key;
  };
  const claim = async (leaseMs = 60_000, slots = 10) =>
    (await store.database.run(claimRuns, { slots, leaseMs, workerId: 'session-w1' })).runs;
  const taskOf = (accountId: string) => ({ kind: 'task' as const, args: sampleTask(accountId) });
  const begin = { now: 1, isByHand: false, lookAgainMs: 1000 };

  it('gives each run to one worker, and to another once its lease has ended', async () => {
    const key = await addDue();
    const claims = await Promise.all(
      store.others.map((one) => one.run(claimRuns, { slots: 10, leaseMs: 60_000, workerId: 'session-w1' })),
    );
    expect(claims.flatMap(({ runs }) => runs)).toMatchObject([{ ...key, tries: 0 }]);
    expect(await claim()).toEqual([]);
    await store.database.run(expireRunLeases, null);
    expect(await claim()).toMatchObject([{ ...key, tries: 1 }]);
  });

  it('gives a run to another worker as soon as the death of its own is known', async () => {
    const [key, own] = [await addDue(), 'session-w1'];
    const [run] = await claim();
    expect(await store.database.run(listLeaseOwners, null)).toEqual([own]);
    expect(await store.database.run(expireLeasesOf, ['session-w2'])).toBe(0);
    expect(await claim()).toEqual([]);
    expect(await store.database.run(expireLeasesOf, [own])).toBe(1);
    expect(await claim()).toMatchObject([{ ...key, tries: 1 }]);
    await store.database.run(postponeRun, { ...key, dueAtMs: run?.dueAtMs ?? 0, waitMs: 60_000 });
    expect(await store.database.run(listLeaseOwners, null)).toEqual([]);
  });

  it('puts a run off that may not start yet, without counting a try', async () => {
    const key = await addDue();
    const [run] = await claim();
    await store.database.run(postponeRun, { ...key, dueAtMs: run?.dueAtMs ?? 0, waitMs: 0 });
    expect(await claim()).toMatchObject([{ ...key, tries: 0 }]);
  });

  it('says when something is due next, and nothing without schedules', async () => {
    expect(await store.database.run(claimRuns, { slots: 1, leaseMs: 1, workerId: 'w' })).toEqual({
      runs: [],
      hasMore: false,
      nextInMs: null,
    });
    const key = await addDue();
    const [run] = await claim();
    await store.database.run(startRun, { ...begin, ...key, dueAtMs: run?.dueAtMs ?? 0, start: taskOf(key.accountId) });
    const { nextInMs } = await store.database.run(claimRuns, { slots: 1, leaseMs: 1, workerId: 'w' });
    expect(nextInMs).toBeGreaterThan(3_500_000);
    expect(nextInMs).toBeLessThanOrEqual(3_600_000);
  });

  it('starts a run once, however many try at the same time', async () => {
    const key = await addDue();
    const [run] = await claim();
    const dueAtMs = run?.dueAtMs ?? 0;
    const tries = [...store.others, ...store.others].map((one) =>
      one.run(startRun, { ...begin, ...key, dueAtMs, start: taskOf(key.accountId) }),
    );
    const started = (await Promise.all(tries)).flatMap(({ taskId }) => taskId ?? []);
    expect(started).toHaveLength(1);
    expect(await store.query('SELECT id FROM tasks')).toEqual([{ id: started[0] }]);
    await store.database.run(refuseRun, { ...key, dueAtMs, outcome: 'missed', reason: 'late' });
    const runs = await store.database.run(listRuns, { ...key, beforeMs: null, limit: 9 });
    expect(runs).toMatchObject([{ outcome: 'started', taskId: started[0], reason: null, credits: 0 }]);
  });

  it('skips the runs of an account that is disabled or being deleted, with the reason', async () => {
    const reasons = { disabled: 'The account is disabled.', deleting: 'The account is being deleted.' };
    for (const [status, reason] of Object.entries(reasons)) {
      const key = await addDue();
      await store.query(
        "INSERT INTO accounts (account_id, email, plan, locale, created_at, status) VALUES (?, ?, 'pro', 'en', 1, ?)",
        ...[key.accountId, `${key.accountId}@example.com`, status],
      );
      const [run] = await claim();
      const start = { ...begin, ...key, dueAtMs: run?.dueAtMs ?? 0, start: taskOf(key.accountId) };
      expect(await store.database.run(startRun, start)).toMatchObject({ outcome: 'skipped', taskId: null });
      const runs = await store.database.run(listRuns, { ...key, beforeMs: null, limit: 9 });
      expect(runs).toMatchObject([{ outcome: 'skipped', reason }]);
    }
    expect(await store.query('SELECT id FROM tasks')).toEqual([]);
  });

  it('sends the message of a run to a conversation once', async () => {
    const key = await addDue();
    const [run] = await claim();
    const first = taskOf(key.accountId);
    const { taskId } = first.args;
    await store.database.run(startRun, { ...begin, ...key, dueAtMs: run?.dueAtMs ?? 0, start: first });
    await store.query("UPDATE tasks SET status = 'stopped' WHERE id = ? RETURNING id", taskId);
    await store.query('UPDATE schedules SET next_run_at = ? WHERE id = ? RETURNING id', Date.now() - 500, key.scheduleId);
    await store.query('UPDATE schedules SET anchor_at = next_run_at WHERE id = ? RETURNING id', key.scheduleId);
    const [next] = await claim();
    const message = { type: 'user_message', text: 'again', kind: 'text' } as const;
    const start = { kind: 'message' as const, args: { accountId: key.accountId, taskId, now: nextMs(), message, profile: null } };
    const send = () => store.database.run(continueRun, { ...begin, ...key, dueAtMs: next?.dueAtMs ?? 0, start });
    await Promise.all([send(), send(), send()]);
    expect(await store.query("SELECT type FROM events WHERE type = 'user_message'")).toHaveLength(2);
  });

  it('refuses a change of settings that were changed meanwhile', async () => {
    const key = await addDue();
    const update = {
      ...key,
      version: 1,
      settings: { ...sampleSchedule(), name: 'new' },
      isRetimed: false,
      hasMessage: false,
      now: 2,
    };
    expect(await store.database.run(updateSchedule, update)).toMatchObject({ name: 'new', version: 2 });
    await expect(store.database.run(updateSchedule, update)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('deletes a schedule while one of its runs is being started, which then starts nothing', async () => {
    const key = await addDue();
    const [run] = await claim();
    expect(await store.database.run(listSchedules, { accountId: key.accountId, beforeId: null, limit: 9 })).toHaveLength(1);
    await store.database.run(deleteSchedule, { ...key, now: nextMs() });
    const starting = store.database.run(startRun, { ...begin, ...key, dueAtMs: run?.dueAtMs ?? 0, start: taskOf(key.accountId) });
    await expect(starting).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.database.run(getSchedule, key)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.query('SELECT id FROM tasks')).toEqual([]);
  });
});
