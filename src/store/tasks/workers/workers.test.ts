import { expect, it } from 'vitest';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { newId } from '@errand/base/ids.ts';
import { createClaimed } from '../../../../test/support/db/store-samples.ts';
import { drainWorker } from '../../instance/worker-drains.ts';
import { takeRetentionTurn } from '../expired-tasks.ts';
import { findWorker, keepWorker, listWorkers, removeAllWorkers, removeWorker } from './workers.ts';

const machine = { diskFreeBytes: 3, diskTotalBytes: 8, hasSandbox: true, sandbox: 'at most 4 GB', jobs: [] };

describeStores('the list of workers', (store) => {
  const keep = (workerId: string) =>
    store.database.run(keepWorker, { workerId, host: 'machine-1', concurrency: 7, ttlMs: 60_000, ...machine });
  const ids = async () => (await store.database.run(listWorkers, null)).map(({ id }) => id);

  it('has each worker that says it runs, with the tasks that it holds, until it is removed', async () => {
    const [one, two] = [newId(1), newId(2)];
    await keep(two);
    await keep(one);
    expect(await ids()).toEqual([one, two]);
    await createClaimed(store.database, { workerId: `session-${two}` });
    expect(await store.database.run(findWorker, two)).toMatchObject({
      id: two,
      tasks: 1,
      host: 'machine-1',
      concurrency: 7,
      ...machine,
    });
    expect(await store.database.run(findWorker, newId(3))).toBeNull();
    await store.database.run(removeWorker, one);
    expect(await ids()).toEqual([two]);
    await store.database.run(removeAllWorkers, null);
    expect((await store.database.run(listWorkers, null)).map(({ id, host }) => [id, host])).toEqual([[two, null]]);
  });

  it('says to a worker, whenever it says that it runs, whether it is drained', async () => {
    const [workerId, now] = [newId(1), Date.now()];
    expect(await keep(workerId)).toBe(false);
    await store.database.run(drainWorker, { workerId, isDraining: true, actor: 'operator', now });
    expect(await keep(workerId)).toBe(true);
    await store.database.run(drainWorker, { workerId, isDraining: false, actor: 'operator', now });
    expect(await keep(workerId)).toBe(false);
  });

  it('forgets workers a day after they were last heard of', async () => {
    await keep(newId(1));
    await store.query('UPDATE workers SET expires_at = 1');
    await keep(newId(2));
    expect(await store.query('SELECT COUNT(*) AS count FROM workers')).toEqual([{ count: 1 }]);
  });
});

describeStores('a turn to look for expired tasks', (store) => {
  it('is taken by one of many, once in its time', async () => {
    const all = [store.database, ...store.others];
    const taken = await Promise.all(all.map((database) => database.run(takeRetentionTurn, { everyMs: 60_000 })));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await store.query("UPDATE instance SET value = '1' WHERE name = 'retention_turn_ends_at'");
    expect(await store.database.run(takeRetentionTurn, { everyMs: 60_000 })).toBe(true);
  });
});
