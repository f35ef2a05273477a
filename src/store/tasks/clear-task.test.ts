import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  claim,
  createClaimed,
  modelStarted,
  nextMs,
  sampleTask,
  stopped,
} from '../../../test/support/db/store-samples.ts';
import { catchUp } from '../../work/tasks/task-folding.ts';
import { emptyState } from '../../rules/tasks/task-state.ts';
import { readLog } from '../events/events.ts';
import { saveFoldedState } from '../events/folded-states.ts';
import { clearTask } from './clear-task.ts';
import { createSubtask, listSubtasks } from './subtasks.ts';
import { createTask, getTask, messageTask, stopTask } from './tasks.ts';
import { findWorkspaceSave, isCleared } from './workspace-saves.ts';

/** A number that no folder can have already. */
const someGeneration = expect.toSatisfy((generation: number) => generation > 1_000_000) as number;

describeStores('emptying a main task', (store) => {
  const message = { type: 'user_message', text: 'Do it.', kind: 'text' } as const;
  /** A main task at rest after its first turn, as its worker held it. */
  const prepare = async () => {
    const sample = sampleTask(newId(nextMs()), {
      taskType: 'agent_main',
      taskConfig: { connectors: ['c'], instructions: 'now' },
    });
    await store.database.run(createTask, sample);
    const [task] = await claim(store.database);
    if (!task) throw new Error('nothing was due');
    return task;
  };
  const clear = (key: { accountId: string; taskId: string }) => store.database.run(clearTask, { ...key, now: nextMs() });

  it('begins its log anew with the next number; a reader of both parts and one of the new part see the same', async () => {
    const task = await prepare();
    await append(task, [modelStarted, stopped], store.database);
    const before = await catchUp(store.database, task, emptyState);
    await store.database.run(saveFoldedState, { ...task, version: 1, seq: before.seq, body: JSON.stringify(before) });
    expect(await store.query('SELECT 1 FROM folded_states')).toHaveLength(1);
    expect(await clear(task)).toEqual({ taskId: task.taskId, generation: someGeneration });
    expect(await store.query('SELECT 1 FROM folded_states')).toEqual([]);
    const log = await store.database.run(readLog, { ...task, afterSeq: 0, limit: 100 });
    expect(log.map(({ seq, event }) => [seq, event])).toEqual([
      [before.seq + 1, { type: 'prepared' }],
      [before.seq + 2, { type: 'equipped', connectors: ['c'] }],
    ]);
    const fresh = await catchUp(store.database, task, emptyState);
    expect(await catchUp(store.database, task, before)).toEqual(fresh);
    expect(fresh).toMatchObject({ status: 'stopped', transcript: [], attachments: [], taskConfig: { connectors: ['c'] } });
    await store.database.run(messageTask, { ...task, now: nextMs(), message, profile: null });
    expect(await claim(store.database)).toMatchObject([{ taskId: task.taskId, crashes: 0 }]);
    expect(await clear(task).catch(({ code }: { code: string }) => code)).toBe('failed_precondition');
  });

  it('takes it from a worker that still believes to hold it', async () => {
    const task = await prepare();
    await store.database.run(stopTask, { ...task, now: nextMs() });
    const { generation: first } = await clear(task);
    expect(await append(task, [modelStarted], store.database)).toEqual({ outcome: 'lost' });
    expect(
      isCleared((await store.database.run(findWorkspaceSave, task)) ?? { generation: 0, blobId: 'b', packedBytes: null }),
    ).toBe(true);
    expect((await clear(task)).generation).toBeGreaterThan(first);
  });

  it('takes its subtasks with it, once they rest, and no other task', async () => {
    const [task, other] = [await prepare(), await createClaimed(store.database)];
    const limits = { maxSubtasks: 2, maxDepth: 1, copyId: null, creditDemand: null };
    const work = { now: nextMs(), title: 'Part', message, taskConfig: {} };
    const { accountId, taskId: parentId } = task;
    const subtask = { accountId, taskId: newId(nextMs()) };
    await store.database.run(createSubtask, { ...subtask, parentId, ...work, ...limits });
    await append(task, [stopped], store.database);
    await expect(clear(task)).rejects.toMatchObject({ code: 'failed_precondition' });
    await store.database.run(stopTask, { ...subtask, now: nextMs() });
    await clear(task);
    expect(await store.database.run(listSubtasks, { accountId, parentId, limit: 5 })).toEqual([]);
    await expect(store.database.run(getTask, subtask)).rejects.toMatchObject({ code: 'not_found' });
    expect((await store.database.run(getTask, other)).status).toBe('running');
    await append(other, [stopped], store.database);
    await expect(clear(other)).rejects.toMatchObject({ code: 'failed_precondition' });
  });
});
