import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { append, claim, createClaimed, nextMs } from '../../../test/support/db/store-samples.ts';
import type { PlacedState } from '../../rules/rows/row-work.ts';
import { openRowJob, saveRows } from './mapped-rows.ts';
import { deleteTask } from './tasks.ts';

describeStores('the answers about the rows of a table', (store) => {
  const open = async () => {
    const { accountId, taskId, fence } = await createClaimed(store.database);
    const lease = { accountId, taskId, fence };
    const save = (
      states: readonly PlacedState[],
      changes: { job?: string; callId?: string; fence?: number; cost?: number } = {},
    ) => store.database.run(saveRows, { ...lease, job: 'one', callId: 'c1', now: nextMs(), states, cost: 0, ...changes });
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

  it('are charged with the calls that were under way if the worker is killed, and by the bill of the wave otherwise', async () => {
    const { lease, save } = await open();
    const begun = { type: 'rows_started', callId: 'c1', model: 'm', rows: 3, estimatedInput: 1, estimatedCost: 40 } as const;
    const usage = { input: 1, output: 1, cached: 0 };
    const readCost = async () => {
      const [row] = await store.query('SELECT session_cost, open_cost FROM tasks WHERE id = ?', lease.taskId);
      return [Number(row?.['session_cost']), Number(row?.['open_cost'])];
    };
    await append(lease, [begun], store.database);
    await save([done(0, 'a')], { cost: 1000 });
    await save([done(1, 'b')], { cost: 2000 });
    expect(await readCost()).toEqual([0, 3040]);
    await append(lease, [{ type: 'rows_finished', callId: 'c1', usage, cost: 5000 }], store.database);
    expect(await readCost()).toEqual([5000, 0]);
    await append(lease, [begun], store.database);
    await save([done(2, 'c')], { cost: 700 });
    expect(await save([done(2, 'd')], { cost: 900, fence: lease.fence - 1 })).toBe(false);
    // Its worker is gone; the next one begins the rest.
    await append(lease, [begun], store.database);
    expect(await readCost()).toEqual([5740, 40]);
  });
});
