import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  claim,
  createClaimed,
  newAccountId,
  nextMs,
  sampleTask,
  stopped,
} from '../../../test/support/db/store-samples.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { createTask, deleteTask, stopTask } from '../tasks/tasks.ts';
import { findUnfolded, foldCalls } from './model-usage.ts';
import { readUsageBreakdown, type UsageBreakdownArgs } from './usage-breakdown.ts';

const day = 24 * 60 * 60 * 1000;
const start = (model: string): TaskEvent => {
  return { type: 'model_started', step: 1, attempt: 1, model, estimatedInput: 1, estimatedCost: 500 };
};
const end = (cost: number): TaskEvent => {
  return { type: 'model_finished', step: 1, parts: [], usage: { input: 100, output: 10, cached: 50 }, cost };
};

describeStores('the usage of models', (store) => {
  const read = async (accountId: string, by: UsageBreakdownArgs['by'], changes: Partial<UsageBreakdownArgs> = {}) => {
    const all = { model: null, projectId: null, userId: null, plan: 'pro' as const };
    return store.database.run(readUsageBreakdown, { accountId, by, fromMs: 0, untilMs: 1000 * 366 * day, ...all, ...changes });
  };
  const models = async (accountId: string) =>
    (await read(accountId, 'model')).map(({ model, calls, input, cost }) => `${model} ${calls} ${input} ${cost}`).toSorted();

  it('counts a call in the transaction that logs its end, and none of a worker that has lost its task', async () => {
    const task = await createClaimed(store.database);
    await append(task, [start('a/one')], store.database);
    expect(await models(task.accountId)).toEqual([]);
    await append(task, [end(7), start('b/two'), end(5)], store.database);
    expect(await models(task.accountId)).toEqual(['a/one 1 100 7', 'b/two 1 100 5']);
    await append(task, [start('b/two')], store.database);
    await store.database.run(stopTask, { ...task, now: nextMs() });
    expect(await append(task, [end(9), stopped], store.database)).toEqual({ outcome: 'lost' });
    expect(await models(task.accountId)).toEqual(['a/one 1 100 7', 'b/two 2 100 505']);
  });

  it('counts a call that a crash has interrupted as estimated, under the model that was called', async () => {
    const task = await createClaimed(store.database);
    await append(task, [start('a/one')], store.database);
    await append(task, [start('b/two')], store.database);
    await append(task, [end(5), stopped], store.database);
    expect(await models(task.accountId)).toEqual(['a/one 1 0 500', 'b/two 1 100 5']);
  });

  it('keeps what deleted tasks have used', async () => {
    const task = await createClaimed(store.database);
    await append(task, [start('a/one'), end(7), start('a/one')], store.database);
    await store.database.run(deleteTask, task);
    expect(await models(task.accountId)).toEqual(['a/one 2 100 507']);
  });

  it('is the same before, while and after calls are added up, by several at once', async () => {
    const accountId = newAccountId();
    for (const projectId of [null, 'p1', 'p1']) {
      await store.database.run(createTask, sampleTask(accountId, { projectId }));
      const [task] = await claim(store.database);
      if (!task) throw new Error('nothing was due');
      await append(task, [start('a/one'), end(7), start('b/two'), end(1), stopped], store.database);
    }
    const shown = () => Promise.all((['day', 'model', 'project', 'user'] as const).map((by) => read(accountId, by)));
    const before = await shown();
    expect(before.map((sums) => sums.map(({ calls, cost }) => `${calls} ${cost}`).toSorted())).toEqual([
      ['6 24'],
      ['3 21', '3 3'],
      ['2 8', '4 16'],
      ['6 24'],
    ]);
    expect(await read(accountId, 'model', { projectId: 'p1', model: 'b/two' })).toMatchObject([{ model: 'b/two', calls: 2 }]);
    expect(await store.database.run(findUnfolded, { afterAccount: '', limit: 1000 })).toContain(accountId);
    await Promise.all([0, 1, 2].map(() => store.database.run(foldCalls, { accountId })));
    expect(await store.database.run(findUnfolded, { afterAccount: '', limit: 1000 })).not.toContain(accountId);
    const sorted = (all: typeof before) => all.map((sums) => sums.map((sum) => JSON.stringify(sum)).toSorted());
    expect(sorted(await shown())).toEqual(sorted(before));
    await store.database.run(createTask, sampleTask(accountId));
    const [task] = await claim(store.database);
    if (!task) throw new Error('nothing was due');
    await append(task, [start('a/one'), end(7), stopped], store.database);
    expect(await models(accountId)).toEqual(['a/one 4 400 28', 'b/two 3 300 3']);
    await store.database.run(foldCalls, { accountId });
    expect(await models(accountId)).toEqual(['a/one 4 400 28', 'b/two 3 300 3']);
    expect(await store.query('SELECT calls FROM usage_days WHERE account_id = ?', accountId)).toHaveLength(4);
  });
});
