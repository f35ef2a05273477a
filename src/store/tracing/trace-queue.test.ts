import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { append, newAccountId, sampleTask, stopped } from '../../../test/support/db/store-samples.ts';
import { claimTasks } from '../tasks/claims/task-claims.ts';
import { createTask, messageTask } from '../tasks/tasks.ts';
import { claimTraces, finishTrace, hasDueTraces, readTracedTask, releaseTraces } from './trace-queue.ts';

describeStores('the queue of traces', (store) => {
  const claimed = async (isTraced: boolean) => {
    await store.database.run(createTask, sampleTask(newAccountId()));
    return claimAgain(isTraced);
  };
  const claimAgain = async (isTraced = true) => {
    const place = { held: [], afterAccount: '', canTakeQuarantined: true, isIdle: true };
    const { tasks } = await store.database.run(claimTasks, { workerId: 'w', ttlMs: 60_000, slots: 8, isTraced, ...place });
    const [task] = tasks;
    if (!task) throw new Error('nothing was claimed');
    return task;
  };
  const take = () => store.database.run(claimTraces, { leaseMs: 60_000, limit: 8 });

  it('has what a worker that exports has claimed, once it rests', async () => {
    const task = await claimed(true);
    expect([await store.database.run(hasDueTraces, null), await take()]).toEqual([false, []]);
    await append(task, [stopped], store.database);
    expect(await store.database.run(hasDueTraces, null)).toBe(true);
    expect(await take()).toMatchObject([{ accountId: task.accountId, taskId: task.taskId, tracedSeq: 0, traceparent: null }]);
  });

  it('has nothing of a worker that does not export', async () => {
    await append(await claimed(false), [stopped], store.database);
    expect([await store.database.run(hasDueTraces, null), await take()]).toEqual([false, []]);
  });

  it('gives a task to one exporter at a time, and to the next when that has ended', async () => {
    const task = await claimed(true);
    await append(task, [stopped], store.database);
    expect(await take()).toHaveLength(1);
    expect([await store.database.run(hasDueTraces, null), await take()]).toEqual([false, []]);
    await store.query('UPDATE tasks SET trace_due_at = 1 WHERE id = ?', task.taskId);
    const taken = await take();
    expect(taken).toHaveLength(1);
    await store.database.run(releaseTraces, taken);
    expect(await take()).toHaveLength(1);
  });

  it('forgets a task that is exported, but not one that was claimed meanwhile', async () => {
    const task = await claimed(true);
    const { accountId, taskId } = task;
    await append(task, [stopped], store.database);
    const [taken] = await take();
    const finish = (tracedSeq: number) =>
      store.database.run(finishTrace, { accountId, taskId, traceDueAtMs: taken?.traceDueAtMs ?? null, tracedSeq });
    const again = { ...sampleTask(accountId), taskId, profile: null };
    await store.database.run(messageTask, again);
    await append(await claimAgain(), [stopped], store.database);
    await finish(3);
    const [next] = await take();
    expect(next).toMatchObject({ taskId, tracedSeq: 3 });
    await store.database.run(finishTrace, { accountId, taskId, traceDueAtMs: next?.traceDueAtMs ?? null, tracedSeq: 6 });
    expect(await store.database.run(readTracedTask, { accountId, taskId })).toMatchObject({ tracedSeq: 6, traceDueAtMs: null });
    await finish(3);
    expect(await store.database.run(readTracedTask, { accountId, taskId })).toMatchObject({ tracedSeq: 6 });
    expect(await store.database.run(readTracedTask, { accountId: newAccountId(), taskId })).toBeNull();
  });
});
