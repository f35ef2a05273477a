import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { claim, createClaimed, nextMs } from '../../../test/support/db/store-samples.ts';
import type { PlacedState } from '../../rules/rows/row-work.ts';
import { openRowJob, saveRows } from './mapped-rows.ts';
import { deleteTask } from './tasks.ts';

describeStores('the answers about the rows of a table', (store) => {
  const open = async () => {
    const { accountId, taskId, fence } = await createClaimed(store.database);
    const lease = { accountId, taskId, fence };
    const save = (states: readonly PlacedState[], changes: { job?: string; callId?: string; fence?: number } = {}) =>
      store.database.run(saveRows, { ...lease, job: 'one', callId: 'c1', now: nextMs(), states, ...changes });
    const resume = (changes: { job?: string; callId?: string; fence?: number } = {}) =>
      store.database.run(openRowJob, { ...lease, job: 'one', callId: 'c1', ...changes });
    return { lease, save, resume };
  };
  const done = (position: number, value: unknown): PlacedState => ({ position, state: 'done', value });
  const failed = (position: number): PlacedState => ({ position, state: 'failed', reason: 'no' });

  it('are read as they were stored, in the order of the rows, and the last one about a row counts', async () => {
    const { save, resume } = await open();
    expect(await resume()).toEqual([]);
    await save([done(2, { a: 'ü"\u2028' }), { position: 0, state: 'misfit', reason: 'x' }]);
    await save([done(0, null), failed(1)]);
    expect(await resume()).toEqual([done(0, null), failed(1), done(2, { a: 'ü"\u2028' })]);
  });

  it('are stored and read only by the worker that holds the task', async () => {
    const { lease, save, resume } = await open();
    await save([done(0, 1)]);
    expect(await save([done(0, 2), done(1, 2)], { fence: lease.fence - 1 })).toBe(false);
    expect(await resume({ fence: lease.fence + 1 })).toBeNull();
    expect(await resume()).toEqual([done(0, 1)]);
    const other = await open();
    expect(await other.resume()).toEqual([]);
  });

  it('that cannot be used are forgotten when another call begins, and the others stay', async () => {
    const { save, resume } = await open();
    await save([done(0, 1), failed(1), { position: 2, state: 'misfit', reason: 'x' }]);
    expect(await resume({ callId: 'c2' })).toEqual([done(0, 1)]);
  });

  it('are kept for four tables of a task', async () => {
    const { lease, save, resume } = await open();
    for (const job of ['one', 'two', 'three', 'four', 'five']) await save([done(0, job)], { job });
    expect(await resume({ job: 'six' })).toEqual([]);
    const rows = await store.query('SELECT job FROM mapped_rows WHERE task_id = ?', lease.taskId);
    expect(new Set(rows.map(({ job }) => job))).toEqual(new Set(['three', 'four', 'five']));
  });

  it('are progress: the deaths of earlier workers are forgiven', async () => {
    const { lease, save } = await open();
    const countCrashes = async () =>
      (await store.query('SELECT crashes FROM tasks WHERE id = ?', lease.taskId)).map(({ crashes }) => crashes);
    await store.query('UPDATE tasks SET crashes = 2 WHERE id = ?', lease.taskId);
    expect(await countCrashes()).toEqual([2]);
    await save([done(0, 1)]);
    expect(await countCrashes()).toEqual([0]);
    expect(await claim(store.database)).toEqual([]);
  });

  it('go with their task', async () => {
    const { lease, save } = await open();
    await save([done(0, 1)]);
    await store.database.run(deleteTask, lease);
    expect(await store.query('SELECT 1 FROM mapped_rows WHERE task_id = ?', lease.taskId)).toEqual([]);
  });
});
