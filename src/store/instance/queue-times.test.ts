import { expect, it } from 'vitest';
import { createSteadyClock } from '@errand/base/steady-clock.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { claim, createClaimed, createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { openSqlite } from '../sqlite-open.ts';
import { renewLeases } from '../tasks/task-leases.ts';
import { releaseLeases } from '../tasks/lease-ends.ts';
import { resumeDue } from '../tasks/reply-budgets.ts';
import { mendQueueTimes } from './queue-times.ts';

const yearMs = 365 * 24 * 3_600_000;

describeStores('the times of the queues', (store) => {
  it('that a wrong clock put into the far future are mended, with and without a holder; leases are left alone', async () => {
    const [held, released] = [await createClaimed(store.database), await createClaimed(store.database)];
    const lost = await createClaimed(store.database);
    await store.query(`UPDATE tasks SET wake_at = wake_at + ${yearMs} WHERE id IN (?, ?)`, lost.taskId, released.taskId);
    await store.query('UPDATE tasks SET lease_owner = NULL WHERE id = ?', released.taskId);
    expect(await store.database.run(mendQueueTimes, { limit: 100 })).toBe(2);
    expect(await store.database.run(mendQueueTimes, { limit: 100 })).toBe(0);
    const claimed = await claim(store.database, { workerId: 'w2' });
    expect(claimed.map(({ taskId }) => taskId).toSorted()).toEqual([released.taskId, lost.taskId].toSorted());
    const leases = [held];
    expect(await store.database.run(renewLeases, { workerId: 'w1', ttlMs: 1000, leases })).toEqual([held.taskId]);
  });

  it('of a budget whose next period a wrong clock has put off for a year are mended; those that only a person ends are left alone', async () => {
    const tasks = [await createClaimed(store.database), await createClaimed(store.database), await createClaimed(store.database)];
    const [wrong, usual, person] = tasks.map(({ taskId }) => taskId);
    const wait = (taskId: string | undefined, until: number) =>
      store.query(
        "UPDATE tasks SET status = 'waiting', wake_at = NULL, lease_owner = NULL, budget_retry_at = ? WHERE id = ?",
        until,
        taskId ?? '',
      );
    await wait(wrong, Date.now() + yearMs);
    await wait(usual, Date.now() + 31 * 24 * 3_600_000);
    await wait(person, Number.MAX_SAFE_INTEGER);
    expect(await store.database.run(mendQueueTimes, { limit: 100 })).toBe(1);
    expect((await store.database.run(resumeDue, { now: Date.now() })).taskIds).toEqual([wrong]);
  });
});

it('a clock that is a year ahead for a moment leaves no task of the embedded store unclaimed', async () => {
  const source = new TestClock();
  const database = await openSqlite(
    createFolder('data'),
    createSteadyClock(
      source,
      () => undefined,
      () => source.monotonic(),
    ),
  );
  await createTasks(database, newAccountId(), 2);
  const [one, two] = await claim(database, { ttlMs: 15_000 });
  if (!one || !two) throw new Error('nothing was due');
  source.jump(yearMs);
  await database.run(renewLeases, { workerId: 'w1', ttlMs: 15_000, leases: [one] });
  await database.run(releaseLeases, { workerId: 'w1', leases: [two] });
  await source.advance(1500);
  source.jump(-yearMs);
  expect(await claim(database, { workerId: 'w2' })).toMatchObject([{ taskId: two.taskId }]);
  await source.advance(15_000);
  expect(await claim(database, { workerId: 'w2', held: [] })).toMatchObject([{ taskId: one.taskId }]);
  await database.close();
});
