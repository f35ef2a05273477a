import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { claim, createClaimed, nextMs } from '../../../test/support/db/store-samples.ts';
import { createSubtask, findSubtask, listSubtasks, suspendTask, wakeParent } from './subtasks.ts';
import type { Lease } from './task-leases.ts';

const message = { type: 'user_message', text: 'Help.', kind: 'text' } as const;

describeStores('a subtask', (store) => {
  async function addSubtask({ accountId, taskId: parentId }: Lease, taskId = newId(nextMs())) {
    const limits = { maxSubtasks: 2, maxDepth: 1, copyId: null, creditDemand: null };
    const work = { now: nextMs(), title: 'Part', message, taskConfig: {} };
    return { taskId, outcome: await store.database.run(createSubtask, { accountId, parentId, taskId, ...work, ...limits }) };
  }

  it('is found by its parent, in order of creation', async () => {
    const parent = await createClaimed(store.database);
    const other = await createClaimed(store.database);
    const [first, second] = [await addSubtask(parent), await addSubtask(parent)];
    expect([first.outcome, second.outcome, (await addSubtask(parent)).outcome]).toEqual(['created', 'created', 'too_many']);
    expect((await addSubtask(parent, first.taskId)).outcome).toBe('there');
    const { accountId } = parent;
    const list = { accountId, parentId: parent.taskId, limit: 5 };
    const listed = await store.database.run(listSubtasks, list);
    expect(listed).toEqual(
      [first, second].map(({ taskId: id }) => ({ id, title: 'Part', status: 'running', isStoppedByUser: false })),
    );
    const find = (parentId: string) => store.database.run(findSubtask, { accountId, parentId, taskId: first.taskId });
    expect(await find(parent.taskId)).toBe('running');
    expect(await find(other.taskId)).toBeNull();
    const [row] = await store.query('SELECT family FROM tasks WHERE id = ?', first.taskId);
    expect(row).toEqual({ family: 'service' });
  });

  it('suspends its parent until it has ended, unless another worker has claimed the parent by then', async () => {
    const parent = await createClaimed(store.database);
    const ownerOf = async () => (await store.query('SELECT lease_owner FROM tasks WHERE id = ?', parent.taskId))[0]?.lease_owner;
    await store.database.run(suspendTask, { ...parent, fence: parent.fence - 1, delayMs: 0 });
    expect(await ownerOf()).toBe('w1');
    await store.database.run(suspendTask, { ...parent, delayMs: 60_000 });
    expect(await ownerOf()).toBeNull();
    expect(await claim(store.database)).toEqual([]);
    const again = await createClaimed(store.database);
    await store.database.run(suspendTask, { ...again, delayMs: -1 });
    expect(await claim(store.database)).toMatchObject([{ taskId: again.taskId }]);
  });

  it('does not shorten the pause of a parent whose workers died', async () => {
    const parent = await createClaimed(store.database);
    const wakeAt = async () => (await store.query('SELECT wake_at FROM tasks WHERE id = ?', parent.taskId))[0]?.wake_at;
    await store.database.run(suspendTask, { ...parent, delayMs: 60_000 });
    await store.query('UPDATE tasks SET crashes = 3 WHERE id = ?', parent.taskId);
    const pausing = await wakeAt();
    await store.database.run(wakeParent, parent);
    expect(await wakeAt()).toBe(pausing);
    await store.query('UPDATE tasks SET crashes = 2 WHERE id = ?', parent.taskId);
    await store.database.run(wakeParent, parent);
    expect(Number(await wakeAt())).toBeLessThan(Number(pausing));
  });
});
