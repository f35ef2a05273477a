import { newId } from '@errand/base/ids.ts';
import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, newAccountId, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { readLog } from '../events/events.ts';
import { branchTask } from './branched-tasks.ts';
import { getTask } from './tasks.ts';

const conversation: TaskEvent[] = [
  { type: 'user_message', text: 'Add them up.', kind: 'text' },
  { type: 'assistant_message', text: 'Three.' },
  { type: 'user_message', text: 'In euros?', kind: 'text' },
];

describeStores('a task that begins with a conversation', (store) => {
  const branch = (accountId: string, sourceId: string, blobIds: string[] = []) => {
    const { message: _, ...sample } = sampleTask(accountId);
    return store.database.run(branchTask, { ...sample, sourceId, events: conversation, blobIds, creditDemand: null });
  };
  const addTask = async (accountId: string) => String((await createTasks(store.database, accountId, 1))[0]);

  it('has all of its events, and waits for a worker', async () => {
    const accountId = newAccountId();
    const { id } = await branch(accountId, await addTask(accountId));
    const log = await store.database.run(readLog, { accountId, taskId: id, afterSeq: 0, limit: 10 });
    expect(log.map(({ event }) => event)).toEqual(conversation);
    expect(await store.database.run(getTask, { accountId, taskId: id })).toMatchObject({ status: 'running' });
  });

  it('is not created if a file of the conversation is gone', async () => {
    const accountId = newAccountId();
    const id = await addTask(accountId);
    await expect(branch(accountId, id, [newId(nextMs())])).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.query('SELECT id FROM tasks WHERE account_id = ?', accountId)).toEqual([{ id }]);
  });

  it('is not created if that of the conversation is gone, or is of somebody else', async () => {
    const accountId = newAccountId();
    for (const id of [newId(nextMs()), await addTask(newAccountId())]) {
      await expect(branch(accountId, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await store.query('SELECT id FROM tasks WHERE account_id = ?', accountId)).toEqual([]);
  });
});
