import { expect, it } from 'vitest';
import { describeStores } from '../../../../test/support/db/databases.ts';
import {
  append,
  claim,
  createClaimed,
  createTasks,
  modelStarted,
  newAccountId,
  sampleTask,
  stopped,
} from '../../../../test/support/db/store-samples.ts';
import { type ClaimArgs, claimTasks, findStarvedAccount } from './task-claims.ts';
import type { Database } from '../../db/database.ts';
import { readLog } from '../../events/events.ts';
import { releaseLeases } from '../lease-ends.ts';
import { createTask } from '../tasks.ts';

const unhurried = 60_000;

describeStores('a claim', (store) => {
  const claimOnce = (changes: Partial<ClaimArgs> = {}, database: Database = store.database) => {
    const args = {
      workerId: 'w1',
      ttlMs: unhurried,
      slots: 100,
      held: [],
      afterAccount: '',
      canTakeQuarantined: true,
      isIdle: true,
      ...changes,
    };
    return database.run(claimTasks, args);
  };
  /** Leaves the tasks as if two workers had crashed on each of them. */
  const quarantine = (...taskIds: string[]) =>
    Promise.all(
      taskIds.map((id) => store.query("UPDATE tasks SET crashes = 1, lease_owner = 'gone', wake_at = 0 WHERE id = ?", id)),
    );

  it('claims due tasks only', async () => {
    const [held, waiting] = [await createClaimed(store.database), await createClaimed(store.database)];
    await append(waiting, [{ type: 'waiting', callId: 'c', question: '?' }], store.database);
    await append(await createClaimed(store.database), [stopped], store.database);
    const accountId = newAccountId();
    const due = await createTasks(store.database, accountId, 3);
    const { tasks, hasMore } = await claimOnce();
    expect(tasks.map(({ taskId }) => taskId).toSorted()).toEqual(due);
    expect(hasMore).toBe(false);
    expect(tasks.some(({ taskId }) => taskId === held.taskId)).toBe(false);
    expect(await claimOnce()).toEqual({ tasks: [], hasMore: false, afterAccount: '', afterPeople: [] });
  });

  it('returns what the worker has to know of the task', async () => {
    const sample = sampleTask(newAccountId(), { isInteractive: false, profile: 'service-1.6-max', locale: 'ja' });
    await store.database.run(createTask, sample);
    const [task] = await claim(store.database);
    expect(task).toMatchObject({ accountId: sample.accountId, taskId: sample.taskId, fence: 1, crashes: 0, lastSeq: 2 });
    expect(task).toMatchObject({ isInteractive: false, profile: 'service-1.6-max', locale: 'ja' });
  });

  it('returns a short log and leaves a long one to be read', async () => {
    const [short, long] = [await createClaimed(store.database), await createClaimed(store.database)];
    for (let count = 0; count < 7; count += 1) {
      if (count < 6) await append(short, [modelStarted], store.database);
      await append(long, [modelStarted], store.database);
    }
    await store.database.run(releaseLeases, { workerId: 'w1', leases: [short, long] });
    const claimed = await claim(store.database);
    const logOf = (taskId: string) => claimed.find((task) => task.taskId === taskId);
    expect(logOf(short.taskId)?.events).toEqual(await store.database.run(readLog, { ...short, afterSeq: 0, limit: 100 }));
    expect(logOf(long.taskId)).toMatchObject({ events: null, lastSeq: 9 });
  });

  it('never gives one task to two workers', async () => {
    const accountIds = Array.from({ length: 5 }, newAccountId);
    await Promise.all(accountIds.map((accountId) => createTasks(store.database, accountId, 12)));
    const databases = [store.database, ...store.others];
    const claims = Array.from({ length: 30 }, (_, index) => claimOnce({ workerId: `w${index}`, slots: 3 }, databases[index % 3]));
    const taken = (await Promise.all(claims)).flatMap(({ tasks }) => tasks.map(({ taskId }) => taskId));
    // Concurrent workers skip each other's locked rows; the rest is claimed next.
    taken.push(...(await claimOnce()).tasks.map(({ taskId }) => taskId));
    expect(taken).toHaveLength(60);
    expect(new Set(taken).size).toBe(60);
    expect(await store.query('SELECT MIN(fence) AS low, MAX(fence) AS high FROM tasks')).toEqual([{ low: 1, high: 1 }]);
  });

  it('raises the fence each time', async () => {
    await createTasks(store.database, newAccountId(), 1);
    const fences = [];
    for (let count = 0; count < 3; count += 1) fences.push((await claim(store.database, { ttlMs: -1 }))[0]?.fence);
    expect(fences).toEqual([1, 2, 3]);
  });

  it('shares its slots among the accounts with due tasks, least busy first', async () => {
    const [crowd, small, busy] = [newAccountId(), newAccountId(), newAccountId()];
    await createTasks(store.database, crowd, 50);
    await createTasks(store.database, small, 1);
    await createTasks(store.database, busy, 50);
    const { tasks, hasMore } = await claimOnce({ slots: 10, held: [[busy, 6]] });
    const counts = Map.groupBy(tasks, ({ accountId }) => accountId);
    expect(counts.get(small)?.length).toBe(1);
    expect(counts.get(crowd)?.length).toBeGreaterThanOrEqual(5);
    expect(counts.get(busy)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(hasMore).toBe(true);
  });

  it('claims the task of an account that has waited longest', async () => {
    const accountId = newAccountId();
    const ids = await createTasks(store.database, accountId, 4);
    for (const [index, id] of ids.entries()) await store.query('UPDATE tasks SET wake_at = ? WHERE id = ?', 1000 - index, id);
    const order = [];
    for (let count = 0; count < 4; count += 1) order.push((await claim(store.database, { slots: 1 }))[0]?.taskId);
    expect(order).toEqual(ids.toReversed());
  });

  it('claims at most one quarantined task, and none while another is running', async () => {
    const accountId = newAccountId();
    const [first = '', second = '', sound = ''] = await createTasks(store.database, accountId, 3);
    await quarantine(first, second);
    const without = await claim(store.database, { canTakeQuarantined: false });
    expect(without.map(({ taskId }) => taskId)).toEqual([sound]);
    const [quarantined, ...more] = await claim(store.database);
    expect([first, second]).toContain(quarantined?.taskId);
    expect(quarantined).toMatchObject({ crashes: 2 });
    expect(more).toEqual([]);
    expect(await claim(store.database)).toHaveLength(1);
  });

  it('gives the only slot to a quarantined task without claiming another', async () => {
    const accountId = newAccountId();
    const [quarantined = ''] = await createTasks(store.database, accountId, 3);
    await quarantine(quarantined);
    expect((await claim(store.database, { slots: 1 })).map(({ taskId }) => taskId)).toEqual([quarantined]);
  });

  it('puts a task off whose third worker has died, then runs it alone in a worker that is idle', async () => {
    const [quarantined = '', sound = ''] = await createTasks(store.database, newAccountId(), 2);
    await store.query("UPDATE tasks SET crashes = 2, lease_owner = 'gone', wake_at = wake_at - 5000 WHERE id = ?", quarantined);
    expect((await claim(store.database, { ttlMs: -1 })).map(({ taskId }) => taskId)).toEqual([sound]);
    const [row] = await store.query('SELECT crashes, lease_owner, fence, wake_at FROM tasks WHERE id = ?', quarantined);
    expect(row).toMatchObject({ crashes: 3, lease_owner: null, fence: 1 });
    expect(Number(row?.wake_at)).toBeGreaterThan(Date.now() + 1000);
    await store.query('UPDATE tasks SET wake_at = wake_at - 15000 WHERE id = ?', quarantined);
    const busy = await claim(store.database, { isIdle: false, ttlMs: -1 });
    expect(busy.map(({ taskId }) => taskId)).toEqual([sound]);
    expect(await claim(store.database, { ttlMs: -1 })).toMatchObject([{ taskId: quarantined, crashes: 3 }]);
  });

  it('gives a task on probation that has waited long to a worker with other tasks', async () => {
    const [quarantined = ''] = await createTasks(store.database, newAccountId(), 1);
    await store.query('UPDATE tasks SET crashes = 3, wake_at = 1 WHERE id = ?', quarantined);
    expect(await claim(store.database, { isIdle: false })).toMatchObject([{ taskId: quarantined, crashes: 3 }]);
  });

  it('visits all accounts, however many there are', async () => {
    const accountIds = Array.from({ length: 150 }, newAccountId);
    await Promise.all(accountIds.map((accountId) => createTasks(store.database, accountId, 2)));
    const served = new Set<string>();
    let afterAccount = '';
    for (let round = 0; round < 5; round += 1) {
      const result = await claimOnce({ slots: 64, afterAccount });
      for (const { accountId } of result.tasks) served.add(accountId);
      afterAccount = result.afterAccount;
      if (round < 2) expect(result.hasMore).toBe(true);
    }
    expect(served.size).toBe(150);
  });

  it('gives a slot to another account when the only due task of the first is one that cannot be claimed', async () => {
    const [stuck, busy] = [newAccountId(), newAccountId()];
    await quarantine(...(await createTasks(store.database, stuck, 1)));
    const [due] = await createTasks(store.database, busy, 2);
    const claimed = await claim(store.database, { slots: 1, held: [[busy, 5]], canTakeQuarantined: false });
    expect(claimed.map(({ taskId }) => taskId)).toEqual([due]);
  });

  it('claims tasks of high priority first and those of low priority last, each in the order in which they became due', async () => {
    const accountId = newAccountId();
    const priorities = ['low', 'normal', 'high', 'low', 'normal', 'high'] as const;
    const samples = priorities.map((priority) => sampleTask(accountId, { priority }));
    for (const [index, sample] of samples.entries()) {
      await store.database.run(createTask, sample);
      await store.query('UPDATE tasks SET wake_at = ? WHERE id = ?', index + 1, sample.taskId);
    }
    const order = [];
    for (let count = 0; count < 6; count += 1) order.push((await claim(store.database, { slots: 1 }))[0]?.taskId);
    expect(order).toEqual([2, 5, 1, 4, 0, 3].map((index) => samples[index]?.taskId));
  });

  it('terminates when every account has only quarantined tasks that cannot be claimed', async () => {
    for (const count of [64, 128]) {
      const accountIds = Array.from({ length: 64 }, newAccountId);
      const ids = await Promise.all(accountIds.map((accountId) => createTasks(store.database, accountId, 1)));
      await quarantine(...ids.flat());
      let rounds = 0;
      let result = { hasMore: true, afterAccount: '' };
      while (result.hasMore && rounds < 10) {
        result = await claimOnce({ afterAccount: result.afterAccount, canTakeQuarantined: false });
        rounds += 1;
      }
      expect(rounds).toBeLessThanOrEqual(count / 64 + 1);
    }
  });
});

describeStores('a starved account', (store) => {
  it('is one with a due task and no running task here', async () => {
    const [busy, starved] = [newAccountId(), newAccountId()];
    const isStarved = (...heldAccounts: string[]) => store.database.run(findStarvedAccount, { heldAccounts });
    expect(await isStarved()).toBe(false);
    await createTasks(store.database, busy, 2);
    expect(await isStarved()).toBe(true);
    expect(await isStarved(busy)).toBe(false);
    await createTasks(store.database, starved, 1);
    expect(await isStarved(busy)).toBe(true);
    await store.query('UPDATE tasks SET wake_at = ? WHERE account_id = ?', Date.now() + unhurried, starved);
    expect(await isStarved(busy)).toBe(false);
    await store.query('UPDATE tasks SET wake_at = 0, crashes = 2 WHERE account_id = ?', starved);
    expect(await isStarved(busy)).toBe(false);
  });

  it('is found behind any number of busy ones', async () => {
    const busy = Array.from({ length: 130 }, newAccountId);
    await Promise.all(busy.map((accountId) => createTasks(store.database, accountId, 1)));
    expect(await store.database.run(findStarvedAccount, { heldAccounts: busy })).toBe(false);
    await createTasks(store.database, newAccountId(), 1);
    expect(await store.database.run(findStarvedAccount, { heldAccounts: busy })).toBe(true);
  });
});
