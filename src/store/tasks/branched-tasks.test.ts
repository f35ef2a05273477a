import { newId } from '@errand/base/ids.ts';
import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
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
  const branch = (accountId: string, blobIds: string[] = []) => {
    const { message: _, ...sample } = sampleTask(accountId);
    return store.database.run(branchTask, { ...sample, events: conversation, blobIds, creditDemand: null });
  };

  it('has all of its events, and waits for a worker', async () => {
    const accountId = newAccountId();
    const { id } = await branch(accountId);
    const log = await store.database.run(readLog, { accountId, taskId: id, afterSeq: 0, limit: 10 });
    expect(log.map(({ event }) => event)).toEqual(conversation);
    expect(await store.database.run(getTask, { accountId, taskId: id })).toMatchObject({ status: 'running' });
  });

  it('is not created if a file of the conversation is gone', async () => {
    await expect(branch(newAccountId(), [newId(nextMs())])).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.query('SELECT id FROM tasks')).toEqual([]);
  });
});
